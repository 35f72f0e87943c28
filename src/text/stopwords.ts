/** Word lists of the lexical index: what is too common to search by, per language. Data, no logic.
 *
 * "not", "no", "never", "like" and "want" stay searchable in every language: they carry preferences and reversals, and the
 * usual public lists that drop them cost recall. Lists are folded the way `terms.ts` folds text (no accents, lower case). */

const list = (words: string): ReadonlySet<string> => new Set(words.split(" "));

export const ENGLISH_STOP_WORDS = list(
  // articles, conjunctions, prepositions
  "a an the and or but if then else than as because until while of at by for with about against between into through during before after above " +
    "below to from up down in out on off over under again further " +
    // pronouns
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them their " +
    "theirs themselves this that these those " +
    // questions
    "what which who whom when where why how whats whos " +
    // auxiliaries
    "is am are was were be been being have has had having do does did doing can could will would shall should may might must " +
    // quantity, order and time words that occur everywhere
    "all any both each few more most other some such only own same so very too just also ever once here there now long many much often kind type " +
    // what clitics leave
    "s t d ll m re ve don",
);

/** Enough function words to tell the language and to search without them. */
export const GERMAN_STOP_WORDS = list(
  "der die das den dem des ein eine einen einem einer eines und oder aber wenn als wie so dass weil denn ob zu zum zur im in am an auf aus bei mit nach " +
    "von vom vor fur uber unter um durch gegen ohne bis seit ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen mein meine meinen meinem " +
    "meiner dein deine deinen sein seine seinen ihre ihren unser unsere euer sich bin bist ist sind seid war waren hat habe haben hast hatte hatten wird " +
    "werde werden wurde wurden kann konnte muss soll sollte darf was wer wen wem wo wohin woher wann warum welche welcher welches welchen diese dieser " +
    "dieses diesen jener auch noch schon nur sehr mal da dort hier dann doch ja man",
);

export const SPANISH_STOP_WORDS = list(
  "el la los las un una unos unas lo al del de a en con por para sin sobre entre hasta desde hacia y e o u pero si porque que como cuando donde adonde " +
    "quien quienes cual cuales cuanto cuantos cuanta cuantas yo tu usted ustedes ella ellos ellas nosotros me te se nos le les mi mis tus su sus nuestro " +
    "nuestra mio mia este esta esto estos estas ese esa eso esos esas aquel aquella es soy eres somos son era eran fue fueron ser estar estoy estas esta " +
    "estamos estan estaba estaban ha he has han hemos habia haber hay tengo tiene tienen muy mas tambien ya asi aqui alli ahora",
);

export const FRENCH_STOP_WORDS = list(
  "le la les un une des du de au aux et ou mais si car que qui quoi dont ou comment quand pourquoi quel quelle quels quelles combien est-ce je tu il elle " +
    "on nous vous ils elles me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces cela ca c j l d m t s n qu y en " +
    "suis es est sommes etes sont etait etaient etais sera ete etre ai as a avons avez ont avait avaient avoir dans sur sous avec sans pour par chez vers " +
    "entre tres plus aussi deja ici la-bas",
);

/** Han characters too common to search by alone; "不" and "没" (not) stay. */
export const CHINESE_STOP_CHARACTERS: ReadonlySet<string> = new Set(
  "的了是我你他她它们吗呢吧啊和与在有这那个就也都很会要么什着过把被让给到从对以为之其而且或",
);

/** Particles that Korean glues to a noun, longest first. */
export const KOREAN_PARTICLES: readonly string[] = (
  "으로부터 에서부터 이라고 에게서 한테서 으로는 에서는 에게는 이랑 에서 에게 한테 께서 부터 까지 으로 라고 처럼 보다 마다 조차 하고 에는 에도 " +
  "이나 이야 은 는 이 가 을 를 의 에 로 와 과 도 만 야 랑 나"
).split(" ");

/** Words of a question that are about everything and so link to nothing in particular. */
export const VAGUE_WORDS = list(
  "thing things time times year years month months week weeks day days kind kinds type types way ways person people name names number lot part place " +
    "some new different like",
);
