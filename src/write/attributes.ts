/** Whom a statement is about beside its speaker, and which of their attributes it tells, where its words say so. */

/** Tags of one statement at most: more is a list of words. */
const MAX_TAGS = 4;
const MAX_LENGTH = 40;
/** People and animals that are somebody's: what is told of them is no taste or plan of the speaker's. */
const RELATIONS =
  "mother|mom|mum|father|dad|sister|brother|son|daughter|wife|husband|partner|boyfriend|girlfriend|fiancée?|friend|boss|colleague|neighbou?r|roommate|" +
  "aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa|dog|cat|mutter|vater|schwester|bruder|sohn|tochter|frau|mann|freundin|freund|" +
  "hund|katze|madre|padre|hermana|hermano|hija|hijo|esposa|marido|amiga|amigo|perro|gato";
const RELATION = new RegExp(
  `(?<!\\p{L})(?:my|mein(?:e[nmrs]?)?|mi)\\s+(?:best |older |younger |little |big )?(${RELATIONS})(?!\\p{L})`,
  "giu",
);
const CHINESE_RELATION = /我(?:的)?(妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|儿子|女儿|丈夫|妻子|老公|老婆|朋友|同事|老板|狗|猫)/gu;
/** "My flight code is", "my rent went": one to three words between the possessive and what is said of it. */
const ATTRIBUTE =
  /(?<!\p{L})(?:my|mein(?:e[nmrs]?)?|mi)\s+((?:[\p{L}'’-]+\s+){0,2}?[\p{L}-]+)\s+(?:is|are|was|were|will|starts?|begins?|expires?|ends?|costs?|went|changed|ist|sind|war|wird|es|son|era|será)(?!\p{L})/giu;
const CHINESE_ATTRIBUTE = /我的(\p{Script=Han}{1,6}?)(?:是|叫|在)/gu;
const IS_RELATION = new RegExp(`^(?:best |older |younger |little |big )?(?:${RELATIONS})(?!\\p{L})`, "iu");
const CHINESE_KIN = /^(?:妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|儿子|女儿|丈夫|妻子|老公|老婆|朋友|同事|老板)$/u;

/** Who speaks of themselves. */
const SELF =
  /(?<!\p{L})(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|ich|wir|yo|nosotros)(?!\p{L})|我(?!的?(?:妈|爸|姐|妹|哥|弟|儿|女|丈|妻|老|朋|同|狗|猫))/iu;

/** Whether a statement tells of somebody else alone: their taste must not be filed as the speaker's. */
export function isOfAnother(text: string): boolean {
  return [RELATION, CHINESE_RELATION].some((pattern) => firstOf(text, pattern).length > 0) && !SELF.test(text);
}

const firstOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => (match[1] ?? "").toLowerCase().replaceAll(/\s+/gu, " "));

/** In lower case, relations first, each once: "My sister Ines is allergic; my flight code is KX-1" gives "sister", "flight code". */
export function attributesIn(text: string): string[] {
  const relations = [...firstOf(text, RELATION), ...firstOf(text, CHINESE_RELATION)];
  const attributes = [...firstOf(text, ATTRIBUTE), ...firstOf(text, CHINESE_ATTRIBUTE)].filter(
    (attribute) => !IS_RELATION.test(attribute) && !CHINESE_KIN.test(attribute),
  );
  return [...new Set([...relations, ...attributes])].filter(({ length }) => length <= MAX_LENGTH).slice(0, MAX_TAGS);
}
