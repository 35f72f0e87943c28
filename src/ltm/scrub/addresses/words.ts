/** Parts that addresses of several languages are made of. Every repetition has an end, so that a long text takes time in proportion. */

/** A word with its capital, such as "Baker", "St." or "Groß-Gerau". */
export const WORD = "\\p{Lu}[\\p{L}'’]{0,30}\\.?(?:-\\p{L}[\\p{L}'’]{0,30}\\.?){0,8}";
/** One without a hyphen, for where hyphens part words: a text of hyphens alone is read in one way. */
export const PART = "\\p{Lu}[\\p{L}'’]{0,30}\\.?";
/** A word in whatever case. */
export const ANY_PART = "\\p{L}[\\p{L}'’]{0,30}\\.?";
export const ANY_WORD = "\\p{L}[\\p{L}'’]{0,30}\\.?(?:-\\p{L}[\\p{L}'’]{0,30}\\.?){0,8}";
/** Small words within the names of streets and towns. */
export const ARTICLE =
  "(?:(?:der|den|dem|die|das|am|an|im|in|vor|bei|ob|zum|zur|de|del|la|las|los|el|y|les|dels|(?:alt|neu|hoh|lang|groß|klein|ober|unter)en?)(?!\\p{L}))";
/** Between the parts of a German street's name: "Hermann-von-Helmholtz-Straße". */
export const LINK = "(?:vo[nm]|van|v\\.|zu[mr]?|de[rmns]?|das|am|an|im|in|und)";
export const START = "(?<![\\p{L}\\p{N}])";
/** German and Spanish: a post code and a town. */
export const TOWN = `,? \\d{4,5} ${PART}(?:[ -]${PART}){0,3}(?: \\(${PART}\\))?`;

/** Words in small letters, with a capital, and in capitals. */
export function anyCase(words: string): string {
  const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  return words
    .split("|")
    .flatMap((word) => [word, upper(word), word.toUpperCase()])
    .join("|");
}

/** What may come right after an address; a noun does not, so that "Am Bahnhof 3 Leute" and "5 star street food" are none. */
export const GOES_ON =
  /^(?:$|\s?[.,;:!?)\]\n"”»]|\s(?:in|near|at|on|and|or|since|with|for|is|was|until|by|where|from|to|last|next|now|today|tomorrow|tonight|apt|unit|flat|suite|und|oder|bei|seit|ist|war|an|aus|ein|um|wohn\p{L}*|gezogen|steht|y|o|en|desde|es|está|con|para|hasta|cerca)(?!\p{L}))/iu;

/** Right before a place where somebody lives or something is to be sent. */
export const LIVES_BEFORE =
  /(?:\b(?:live[sd]?|living|address|addresses|moved?|moving|reside[sd]?|ship|deliver|mail|send|located|staying|house|home|flat|apartment|office)\b|wohn|adresse|anschrift|gezogen|\bzieh|\bzog|umzug|\bschick|\bliefer|\bsend|\bviv|direcci[oó]n|domicilio|\benv[ií]a|\bmanda|\bmud|\bresid|我住|地址)[^.!?\n]{0,24}$/iu;
