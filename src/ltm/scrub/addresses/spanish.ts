/** Spanish addresses: "calle de Alcalá 45, 28014 Madrid", "plaza mayor 3". */

import type { AddressForm } from "./whole.js";
import { ANY_WORD, anyCase, GOES_ON, LIVES_BEFORE, TOWN, WORD } from "./words.js";

const KIND = `(?:(?:${anyCase("calle|avenida|plaza|paseo|camino|carretera|ronda|travesía|rambla|cuesta|glorieta|pasaje|callejón|gran vía|vía|costanilla|alameda|bulevar|carrer|urbanización")})(?!\\p{L})|[Cc]/|[Aa]v(?:da)?\\.)`;
const HOUSE = ",? (?:n\\.?º ?|núm\\. |número )?\\d{1,4}(?:,? ?\\d{1,2}\\.?º ?[A-Za-z]?)?(?![\\p{L}\\p{N}])";
/** "la calle hay 5 perros". */
const NO_NAME =
  /^(?:hay|había|son|eran|están|estaban|vi|vimos|tiene|tienen|con|desde|hasta|a|ante|unos|unas|casi|más|menos|sólo|solo|que|se|me|nos|por|para|como|cuando|pasaron|viven|pasan)$/iu;

export const SPANISH_ADDRESSES: readonly AddressForm[] = [
  {
    pattern: new RegExp(
      `(?<![\\p{L}])${KIND} ?(?:(?:de|del|la|las|los|el|y|DE|DEL|LA|LAS|LOS|EL|Y|${WORD}) ){0,5}${WORD}${HOUSE}(?:${TOWN})?`,
      "gu",
    ),
  },
  {
    pattern: new RegExp(`(?<![\\p{L}])Gran Vía${HOUSE}(?:${TOWN})?`, "gu"),
  },
  {
    pattern: new RegExp(`(?<![\\p{L}])${KIND} ?(?<words>(?:${ANY_WORD} ){0,5}${ANY_WORD})${HOUSE}`, "gu"),
    accepts: ({ groups = {} }, { before, after }) =>
      !(groups.words ?? "").split(" ").some((word) => NO_NAME.test(word)) && (GOES_ON.test(after) || LIVES_BEFORE.test(before)),
    rest: /,? \d{5} \p{L}{2,40}(?:-\p{L}{2,40})?/uy,
  },
  { pattern: /(?<![\p{L}])c[oó]digo postal(?: es|:)? (?<address>\d{5})(?!\d)/giu },
  { pattern: /邮编(?:是|为|：|:)? ?(?<address>\d{6})(?!\d)/gu },
];
