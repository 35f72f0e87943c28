/** Persons whom somebody names by what they are to them: "my sister Clara", "a friend called Bo", "meine Tante heißt Ute". */

import { KIN } from "./names/word-classes.js";

const NAME = String.raw`\p{Lu}[\p{L}’'-]+(?:\s(?:(?:van|von|de|der|la)\s)?\p{Lu}[\p{L}’'-]+){0,2}`;
const KIN_WORD = `(?:${KIN.split(" ").join("|")})`;
const BEFORE = String.raw`(?<![\p{L}])`;
const PATTERNS: readonly RegExp[] = [
  // The relation in whatever case, the name with its capital.
  new RegExp(
    `${BEFORE}(?:${anyCase(KIN_WORD)})(?:,?\\s(?:is |was )?(?:named|called)|[’']s name is|\\s(?:heißt|hieß|namens)|\\sse llama(?:ba)?)?\\s(?<name>${NAME})`,
    "gu",
  ),
  new RegExp(
    `${BEFORE}(?:[Mm]y name is|[Cc]all me|[Nn]enn mich|[Ii]ch heiße|[Mm]ein Name ist|[Mm]e llamo|[Mm]i nombre es)\\s(?<name>${NAME})`,
    "gu",
  ),
  /(?:我叫|我的名字是|名叫|(?:姐姐|妹妹|哥哥|弟弟|老婆|老公|女儿|儿子|朋友|同事|室友|老板|妈妈|爸爸)叫)(?<name>\p{Script=Han}{2,3})(?=[，。！？、；\s]|$)/gu,
];
/** Capitalised words that follow a relation and name nobody. */
const NO_NAME =
  /^(?:I|I['’]\p{L}+|The|My|In|On|At|And|But|He|She|It|We|They|Und|Der|Die|Das|El|La|Y|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?$/u;

/** @returns each as it is written */
export function namesTold(text: string): readonly string[] {
  return PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ groups = {} }) => {
      const name = groups.name ?? "";
      return name === "" || NO_NAME.test(name.split(/\s/u)[0] ?? "") ? [] : [name.replace(/[’']s$/u, "")];
    }),
  );
}

/** Nicknames that people make of a given name, which count where they are written with a capital. */
export function nicknamesOf(name: string): readonly string[] {
  const [given = ""] = name.split(/\s/u);
  if (!/^\p{Script=Latin}{5,}$/u.test(given)) return [];
  return [given.slice(0, 3), given.slice(0, 4)];
}

function anyCase(words: string): string {
  return words.replace(/(?<=[(:|])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
