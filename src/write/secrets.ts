/** Finds what grants access (keys, passwords, tokens, PINs), so that it gets into no entry, vector or index. The turn itself stays as
 * it was said: the open conversation goes on with it, and it is forgotten with its conversation. Codes that only name something,
 * such as a booking's, a locker's or a door's, are left: they are what a memory is asked for. */

/** Stands where a secret stood. */
export const SECRET_MARK = "[secret left out]";

/** What is a secret by its form alone; where there is a group, that part of it. */
const BY_FORM: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/gu,
  // A JSON web token.
  /\beyJ[\w-]{8,}\.eyJ[\w-]+\.[\w-]*/gu,
  // Vendors' prefixes: OpenAI and Stripe, GitHub, GitLab, Slack, AWS, Google, npm, Hugging Face, SendGrid, Shopify, age.
  /\b(?:sk|rk)-(?:[a-z]+-)?[\w-]{16,}|\b[sr]k_(?:live|test)_\w{10,}|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bnpm_\w{30,}|\bhf_\w{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bshp(?:at|ca|pa|ss)_\w{20,}|\bAGE-SECRET-KEY-1[A-Z0-9]+/gu,
  // Passwords inside addresses.
  /\b[a-z][\w+.-]{1,20}:\/\/[^\s:/@]{1,100}:([^\s:/@]{1,200})@/giu,
  /[?&](?:access_token|auth|token|api_?key|key|password|secret|sig|signature)=([\w%.~+/-]{6,})/giu,
  /\b(?:Bearer|Basic)\s+([\w.~+/-]{16,}=*)/gu,
];

const PASSWORD_WORD =
  "(?:pass(?:word|phrase|code|wd)s?|pwd|master key|(?:api|access|private|secret|encryption|decryption|signing|licen[cs]e) key|(?:api|access|auth|refresh|bearer|session|personal access) token|client secret|passw[oö]rt|kennwort|zugangscode|contraseña|clave(?: de acceso)?|mot de passe)";
const PIN_WORD =
  "(?:pin(?:[- ]?(?:code|number|nummer))?|cvv2?|cvc|(?:one[- ]time|verification|security|2fa|two[- ]factor|otp|sms|backup|recovery) (?:code|password)|otp|geheimzahl|tan)";
const IS =
  "(?:\\s*(?::|=|->)\\s*|\\s+(?:is|was|are|ist|lautet|war|es|era|will be|now|to)\\s+(?:now |jetzt |ahora |still )?(?::\\s*)?)";
/** "password for the wifi is": up to five words between the word and the value. */
const BETWEEN = "(?:\\s+(?:for|of|to|on|at|für|vom|zum|von|de|del|para)(?:\\s+[\\p{L}\\p{N}.@_'’-]+){1,5}?)?";
const QUOTED = "[\"“'‘`«]([^\"”'’`»\\n]{3,120})[\"”'’`»]";
const NAMED = new RegExp(`(?<![\\p{L}])${PASSWORD_WORD}${BETWEEN}${IS}(?:${QUOTED}|(\\S{3,200}))`, "giu");
const NUMBERED = new RegExp(`(?<![\\p{L}])${PIN_WORD}${BETWEEN}(?:${IS}|\\s+)(\\d{3,8})(?!\\d)`, "giu");
const ASSIGNED =
  /["']?\b[\w-]*(?:password|passwd|pwd|secret|api_?key|access_?key|private_?key|token)[\w-]*["']?\s*[:=]\s*(?:"([^"\n]{4,300})"|'([^'\n]{4,300})'|([^\s"',;]{6,300}))/giu;
const CHINESE = /(?:密码|口令|密钥|验证码)(?:是|为|：|:|=|\s)+([\w!@#$%^&*.+-]{4,64})/gu;
const PHRASE =
  /\b(?:seed|recovery|mnemonic|backup) (?:phrase|words)\b[^a-z\n]{0,3}(?:is|are|:|=)?\s*((?:[a-z]{3,8}[\s,]+){11,23}[a-z]{3,8})/giu;
/** Masking settles in two rounds; a text that is made to go on is left then. */
const MAX_ROUNDS = 5;
/** Words that follow "the password is" and are none. */
const SAID_OF_IT =
  /^(?:the|a|an|my|your|our|too|very|so|not|no|never|always|still|now|also|just|only|in|on|at|with|from|for|by|as|kept|stored|saved|written|weak|strong|wrong|right|correct|incorrect|invalid|valid|expired|lost|gone|safe|secure|secret|long|short|easy|hard|simple|same|different|required|needed|missing|empty|reset|changed|set|being|what|where|that|this|it|something|unknown|hidden|under|behind|die|der|das|ein|eine|nicht|zu|sehr|falsch|richtig|sicher|la|el|un|una|muy|no|correcta|incorrecta|segura|none|null|undefined|true|false)$/iu;
/** Where a program finds it, not what it is. */
const REFERENCE = /^(?:process\.env|\$\{|<|\$[A-Z(]|os\.|env\.)/u;
/** A plain word is a password only where the sentence ends with it. */
const PLAIN_WORD = /^\p{Ll}+$/u;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The places of the secrets, in order, not overlapping. */
function secretSpans(text: string): Span[] {
  const spans: Span[] = [];
  const add = (match: RegExpMatchArray, value: string | undefined): void => {
    const whole = match[0];
    const start = (match.index ?? 0) + (value === undefined ? 0 : whole.lastIndexOf(value));
    spans.push({ start, end: start + (value ?? whole).length });
  };
  for (const pattern of BY_FORM) for (const match of text.matchAll(pattern)) add(match, match[1]);
  for (const match of text.matchAll(NAMED)) {
    const [, quoted, bare] = match;
    if (quoted !== undefined) add(match, quoted);
    else if (bare !== undefined) {
      const value = bare.replace(/[.,;:!?)\]}"'”’]+$/u, "");
      const rest = text.slice((match.index ?? 0) + match[0].length - (bare.length - value.length));
      if (isPassword(value, rest)) add(match, value);
    }
  }
  for (const pattern of [NUMBERED, CHINESE, PHRASE]) for (const match of text.matchAll(pattern)) add(match, match[1]);
  for (const match of text.matchAll(ASSIGNED)) {
    const value = match[1] ?? match[2] ?? match[3];
    if (value !== undefined && !SAID_OF_IT.test(value) && !REFERENCE.test(value)) add(match, value);
  }
  const apart: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (SECRET_MARK.includes(text.slice(span.start, span.end))) continue;
    const last = apart.at(-1);
    // Of two that begin in one place the first found knows better where it ends; of others that overlap neither may leave a rest.
    if (last && span.start === last.start) continue;
    if (last && span.start < last.end) apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else apart.push(span);
  }
  return apart;
}

function isPassword(value: string, rest: string): boolean {
  if (value.length < 3 || SAID_OF_IT.test(value) || REFERENCE.test(value)) return false;
  if (!PLAIN_WORD.test(value) && !/^\p{Lu}\p{Ll}+$/u.test(value)) return true;
  return /^\s*(?:$|[.,;!\n)]|and |und |y )/u.test(rest);
}

/** The secrets of a text, each once. */
export function findSecrets(text: string): string[] {
  return [...new Set(secretSpans(text).map(({ start, end }) => text.slice(start, end)))];
}

/** The text with {@link SECRET_MARK} in the place of its secrets.
 * @param known secrets of other texts, which are masked here too: a reply repeats a password without calling it one */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  // What stands around a mark may look like a secret in its turn: "password is [secret left out] hunter2".
  for (
    let spans = secretSpans(masked), rounds = 0;
    spans.length > 0 && rounds < MAX_ROUNDS;
    spans = secretSpans(masked), rounds++
  ) {
    const before = masked;
    masked = "";
    let from = 0;
    for (const { start, end } of spans) {
      masked += before.slice(from, start) + SECRET_MARK;
      from = end;
    }
    masked += before.slice(from);
  }
  for (const secret of known) if (secret.length >= 4) masked = masked.replaceAll(secret, SECRET_MARK);
  return masked;
}
