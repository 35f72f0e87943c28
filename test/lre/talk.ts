/** Conversations of our own making for the eviction tests: facts told in passing among small talk. */

import type { Unit } from "../../src/lre/unit.js";

const FACTS = [
  "I moved to Lisbon last March to start a job at the aquarium.",
  "My sister Ines was diagnosed with a walnut allergy yesterday.",
  "We adopted a three-legged greyhound called Pixel in June 2023.",
  "I finally finished my second marathon in 4 hours and 12 minutes.",
  "My landlord raised the rent to 1,150 euros, starting 1 October.",
];
const CHAT = [
  "Haha, yeah!",
  "Sounds great, really.",
  "Wow, that's so cool!",
  "How are you today?",
  "Oh nice, keep it up!",
  "Thanks, you too!",
  "Good to hear from you!",
  "That's awesome, enjoy it!",
];

const CHINESE_FACTS = [
  "我上个月搬到了成都，在动物园找到一份照顾熊猫的新工作。",
  "我妹妹昨天查出对花生过敏，以后做饭要特别小心。",
  "我们六月领养了一只叫小满的三条腿的狗。",
  "房东把租金涨到了三千二百元，十月一日开始。",
];
const CHINESE_CHAT = ["哈哈，是啊！", "真不错。", "你今天怎么样？", "嗯，好的。", "谢谢你！", "太好了！"];

/** @returns units between two people, and the indices of those that hold a fact, the early ones among much small talk */
export function talk(language: "en" | "zh" = "en"): { units: Unit[]; facts: number[] } {
  const [told, small] = language === "en" ? [FACTS, CHAT] : [CHINESE_FACTS, CHINESE_CHAT];
  const units: Unit[] = [];
  const facts: number[] = [];
  const say = (text: string): unknown =>
    units.push({
      id: String(units.length),
      role: "user",
      speaker: units.length % 2 === 0 ? "Ana" : "Bo",
      session: String(Math.floor(units.length / 20)),
      text,
    });
  for (let round = 0; round < 40; round++) {
    for (let k = 0; k < 3; k++) say(small[(round * 3 + k) % small.length] as string);
    const fact = told[round / 5];
    if (fact !== undefined) {
      facts.push(units.length);
      say(fact);
    }
  }
  return { units, facts };
}

/** Share of pairs that a score puts right: 1 for perfect, .5 for chance. */
export function auc(scores: readonly number[], positives: readonly number[]): number {
  const wanted = new Set(positives);
  let right = 0;
  let pairs = 0;
  for (const p of wanted) {
    scores.forEach((score, i) => {
      if (wanted.has(i)) return;
      pairs++;
      right += (scores[p] as number) > score ? 1 : scores[p] === score ? 0.5 : 0;
    });
  }
  return right / pairs;
}
