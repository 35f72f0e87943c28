/** Other ways to write the same identifier, as programs and people do: a detector must see through each. */

/** Spaces that do not break, thin ones, wide ones, and two of them. */
const SPACES = ["\u00A0", "\u202F", "\u2009", "\u3000", "  ", "\t"];
/** Hyphens, dashes, the sign for minus and a wide one. */
const DASHES = [..."\u2010\u2011\u2012\u2013\u2014\u2212\uFE63\uFF0D"];
/** What is not seen: of no width, a soft hyphen, a joiner, variation selectors. */
const UNSEEN = ["\u200B", "\u200D", "\u2060", "\uFEFF", "\u00AD", "\u034F", "\uFE0F", "\u{E0101}"];
const GROUP_SIGNS = ["-", ".", "/", "  ", "\u2011", "\u00A0"];
/** In other letters it is another one. */
const CASED = new Set(["email", "iban", "ip", "url", "birthdate", "username", "government", "address"]);
const GROUPED = new Set(["iban", "card"]);

/** @param kind as the generator of identifiers calls it
 * @returns by what was done to it */
export function oddFormsOf(value: string, kind: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  const add = (name: string, form: string): void => {
    if (form !== value) forms.set(name, form);
  };
  for (const space of SPACES) add(`spaces ${codeOf(space)}`, value.replaceAll(" ", space));
  for (const dash of DASHES) add(`dashes ${codeOf(dash)}`, value.replaceAll("-", dash));
  for (const sign of UNSEEN)
    add(`unseen ${codeOf(sign)}`, [...value].map((one, at) => (at % 3 === 1 ? sign + one : one)).join(""));
  add(
    "wide",
    value.replace(/[!-~]/gu, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  );
  add("NFD", value.normalize("NFD"));
  if (CASED.has(kind)) {
    add("small", value.toLowerCase());
    add("capitals", value.toUpperCase());
  }
  if (GROUPED.has(kind)) {
    const groups = value.replace(/[^A-Za-z0-9]/gu, "").match(/.{1,4}/gu) ?? [];
    for (const sign of GROUP_SIGNS) add(`groups ${codeOf(sign)}`, groups.join(sign));
  }
  return forms;
}

function codeOf(sign: string): string {
  return [...sign].map((one) => `U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`).join(" ");
}
