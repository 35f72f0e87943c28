/** Word lists of the dialogue scorer, as flags on a word. Data, and frozen: the shipped weights were learned with them, so a
 * change of a list needs new weights. English, with a few Chinese words; other languages live on structure and idf. */

/** What a word may be; a word can be several. Bits of an integer. */
export const FLAG = {
  stop: 1,
  firstPerson: 2,
  firstPlural: 4,
  secondPerson: 8,
  thanks: 16,
  reaction: 32,
  time: 64,
  number: 128,
  past: 256,
  event: 512,
  preference: 1024,
  relation: 2048,
  question: 4096,
  generic: 8192,
  /** Relative time by itself: yesterday, ago. */
  relative: 16384,
  /** Makes a relative time with what follows: last, next, this. */
  lead: 32768,
  /** What follows such a word: week, Friday. */
  unit: 65536,
  // Set from the word's form, not from a list.
  capital: 131072,
  digit: 262144,
} as const;

const LISTS: readonly (readonly [number, string])[] = [
  [
    FLAG.stop,
    "a an the and or but if then so of to in on at by for with from as is am are was were be been being it its it's this that these those i i'm i've i'd " +
      "i'll me my mine we we're our us you you're your he she they them their his her him do does did done have has had having not no don't didn't can " +
      "could will would should may might just very really too also there here what when where who which how why all any some more most much many than up " +
      "out about into over after before again s t d ll m re ve o y 的 了 是 在 和 就 都 也 很 有 不 这 那 吗 呢 吧 啊 你 我 他 她 它",
  ],
  [FLAG.firstPerson, "i i'm i've i'd i'll me my mine myself 我 我的"],
  [FLAG.firstPlural, "we we're we've we'll our us ours 我们 咱们"],
  [FLAG.secondPerson, "you you're you've you'll you'd your yours u 你 你们 您"],
  [FLAG.thanks, "thanks thank thx appreciate congrats congratulations glad 谢谢 恭喜"],
  [
    FLAG.reaction,
    "wow yeah yep yes yup no nope sure sounds that's thats thanks thank cool awesome great nice amazing absolutely definitely totally congrats " +
      "congratulations hey hi glad oh aw aww haha exactly agreed ok okay bye it's really so good happy love keep take looking 好的 哈哈 嗯 谢谢 哇",
  ],
  [
    FLAG.time,
    "yesterday today tomorrow tonight ago last next week weekend month year morning evening recently soon monday tuesday wednesday thursday friday saturday " +
      "sunday january february march april june july august september october november december summer winter spring fall since till until day days weeks " +
      "months years night later earlier birthday anniversary 昨天 今天 明天 前天 后天 上周 下周 上个月 下个月 去年 明年 早上 晚上 周末 月 年 生日",
  ],
  [
    FLAG.number,
    "one two three four five six seven eight nine ten dozen couple first second third twice once few several half hundred 一 两 三 四 五 六 七 八 九 十",
  ],
  [
    FLAG.past,
    "was were went got had did made took came saw found bought met said told felt started began joined won lost ran read wrote taught thought brought gave " +
      "kept left moved knew heard ate drove flew grew spent sent built been 了 过",
  ],
  [
    FLAG.event,
    "bought got started joined won moved visited went made signed adopted learned finished attended met took found lost built painted wrote created opened " +
      "launched planned hosted volunteered graduated married engaged divorced broke born died passed traveled hiked camped cooked baked played practiced tried " +
      "switched quit hired fired promoted interviewed applied researched ran raced competed performed published recorded designed gave donated raised " +
      "organized celebrated scheduled booked reached decided 买 搬 参加 毕业 结婚 开始 决定 学 去",
  ],
  [
    FLAG.preference,
    "love loves loved like likes liked favorite favourite enjoy enjoyed prefer hate dislike fan passion passionate interested into dream goal wish allergic " +
      "afraid 喜欢 爱 讨厌 过敏 想",
  ],
  [
    FLAG.relation,
    "mom dad mother father parents sister brother son daughter kids kid children husband wife girlfriend boyfriend partner family friend friends grandma " +
      "grandpa grandmother grandfather cousin aunt uncle niece nephew dog dogs cat cats puppy pet pets baby coach boss teacher colleague colleagues team " +
      "neighbor mentor 妈妈 爸爸 姐姐 妹妹 哥哥 弟弟 儿子 女儿 孩子 丈夫 妻子 朋友 同事 狗 猫",
  ],
  [FLAG.question, "what when where who how why which whats what's how's 什么 哪里 哪儿 谁 怎么 为什么 多少 几"],
  [
    FLAG.generic,
    "things thing stuff something anything everything it that this good great nice cool awesome way keep support sounds here always life time lot really",
  ],
  [FLAG.relative, "yesterday ago recently 昨天 前天 上周 下周 上个月 下个月 去年 明年 最近"],
  [FLAG.lead, "last next this"],
  [
    FLAG.unit,
    "week weekend month year night morning summer fall winter spring monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun",
  ],
];

/** The lists as one table; read by {@link flagsOf}. */
const FLAGS: ReadonlyMap<string, number> = (() => {
  const table = new Map<string, number>();
  for (const [flag, words] of LISTS) for (const word of words.split(" ")) table.set(word, (table.get(word) ?? 0) | flag);
  return table;
})();

/** Flags of a lower-case word that come from the lists and its ending; 0 for most words. */
export function flagsOf(lower: string): number {
  let flags = FLAGS.get(lower) ?? 0;
  if (lower.length > 4 && lower.endsWith("ed")) flags |= FLAG.past;
  return flags;
}

const VOWEL_OR_LIQUID = /[aeiouls]$/;

/** A light English stem: plural, -ing, -ed and a last e off. Kept apart from `text/`, whose stems may change while the weights stay. */
export function lightStem(word: string): string {
  let stem = word.endsWith("'s") ? word.slice(0, -2) : word;
  if (stem.length > 4 && stem.endsWith("ies")) return `${stem.slice(0, -3)}y`;
  if (stem.length > 5 && stem.endsWith("ing")) stem = stem.slice(0, -3);
  else if (stem.length > 4 && stem.endsWith("ed")) stem = stem.slice(0, -2);
  else if (stem.length > 3 && /(?:s|x|z|ch|sh)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.length > 3 && stem.endsWith("s") && !stem.endsWith("ss")) stem = stem.slice(0, -1);
  if (stem.length > 4 && stem.endsWith("e")) stem = stem.slice(0, -1);
  const doubled = stem.length > 3 && stem.at(-1) === stem.at(-2) && !VOWEL_OR_LIQUID.test(stem);
  return doubled ? stem.slice(0, -1) : stem;
}
