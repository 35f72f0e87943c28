/** Small benchmarks of our own making in the official formats, for tests of what runs on them. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes `longmemeval_s.json`: a question with two sessions that hold evidence, one of them of ShareGPT, and one whose only evidence is. */
export async function writeLongMemEval(folder: string): Promise<void> {
  const instance = (id: string, question: string, sessions: Readonly<Record<string, string>>) => ({
    question_id: id,
    question_type: "multi-session",
    question,
    answer: "",
    question_date: "2023/06/20 (Tue) 10:00",
    haystack_dates: Object.keys(sessions).map((_, at) => `2023/05/1${at} (Wed) 10:00`),
    haystack_session_ids: Object.keys(sessions),
    haystack_sessions: Object.entries(sessions).map(([session, content]) => [
      { role: "user", content, has_answer: session.startsWith("answer_") },
      { role: "assistant", content: "Noted." },
    ]),
  });
  const instances = [
    instance("q1", "Where did I plant the plum tree?", {
      ultrachat_1: "How long do I boil an egg?",
      sharegpt_a_0: "Write a plum poem for ShareGPT.",
      answer_sharegpt_b_1: "ShareGPT knows where I planted the plum tree: Lyon.",
      answer_c_1: "I planted the plum tree behind the shed.",
    }),
    instance("q2", "Which boat did I buy?", {
      answer_sharegpt_d_1: "I bought a boat that ShareGPT chose.",
      ultrachat_2: "Why is the sea salty?",
    }),
  ];
  await writeFile(join(folder, "longmemeval_s.json"), JSON.stringify(instances));
}

/** Writes `locomo.json`: one conversation with two questions. */
export async function writeLocomo(folder: string): Promise<void> {
  const turn = (dia_id: string, speaker: string, text: string) => ({ dia_id, speaker, text });
  const sample = {
    sample_id: "conv-1",
    conversation: {
      speaker_a: "Ann",
      speaker_b: "Bob",
      session_1: [
        turn("D1:1", "Ann", "I adopted a greyhound called Pixel."),
        turn("D1:2", "Bob", "Lovely! I moved to Oslo in March."),
        turn("D1:3", "Ann", "How is the weather there?"),
      ],
      session_1_date_time: "1:00 pm on 3 May, 2023",
    },
    qa: [
      { question: "What is the name of Ann's greyhound?", answer: "Pixel", evidence: ["D1:1"], category: 4 },
      { question: "When did Bob move to Oslo?", answer: "March", evidence: ["D1:2"], category: 2 },
    ],
  };
  await writeFile(join(folder, "locomo.json"), JSON.stringify([sample]));
}
