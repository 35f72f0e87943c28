import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { timeOf } from "../../src/imports/times.js";
import { blobOf, messagesOf, read, textsOf } from "./read.js";

describe("plain messages", () => {
  it("are read line by line, under whichever names their fields go", async () => {
    const lines = [
      { role: "user", content: "I plant beans.", timestamp: "2026-03-01T10:00:00Z", id: 5 },
      { sender: "assistant", text: "In rows?", ts: 1_772_359_260 },
      { from: "human", message: [{ type: "text", text: "In" }, { type: "image_url" }, "circles."] },
      { user: "And peas.", assistant: "Good.", at: 1_772_359_300_000, session_id: "s2" },
      { author: "Astrid", body: "I plant roses.", conversation_id: "garden" },
      { role: "system", content: "You are a gardener." },
      { role: "tool", content: "42" },
      { role: "assistant", content: "" },
      { role: "user", content: [{ type: "image_url", image_url: "x" }] },
    ];
    const found = await read(blobOf(lines.map((line) => JSON.stringify(line)).join("\r\n")));
    expect(found.conversations.map(({ id }) => id)).toEqual(["all", "all", "all", "s2", "garden"]);
    expect(messagesOf(found)).toEqual([
      { id: "5", role: "user", text: "I plant beans.", at: Date.UTC(2026, 2, 1, 10) },
      { role: "assistant", text: "In rows?", at: 1_772_359_260_000 },
      { role: "user", text: "In\ncircles." },
      { role: "user", text: "And peas.", at: 1_772_359_300_000 },
      { role: "assistant", text: "Good.", at: 1_772_359_300_000 },
      { role: "user", name: "Astrid", text: "I plant roses." },
    ]);
    expect(found.skipped).toEqual({ system: 1, tool: 1, empty: 1, attachment: 1 });
  });

  it("are read from an array, and from objects with a list each", async () => {
    const one = { role: "user", content: "I plant kale." };
    expect(textsOf(await read(blobOf([one, { role: "assistant", content: "Good." }])))).toEqual(["I plant kale.", "Good."]);
    const listed = await read(blobOf({ id: "k", created_at: "2026-03-01T10:00:00Z", messages: [one] }));
    expect(listed.conversations).toEqual([
      { format: "messages", id: "k", messages: [{ role: "user", text: "I plant kale.", at: Date.UTC(2026, 2, 1, 10) }] },
    ]);
    const lines = await read(blobOf(`${JSON.stringify({ messages: [one] })}\n${JSON.stringify({ id: "z", messages: [one] })}`));
    expect(lines.conversations.map(({ id }) => id)).toEqual(["list-0", "z"]);
  });

  it("are not what a file of something else is taken for", async () => {
    for (const other of [[{ price: 3 }], { a: 1 }, [], "", "hello", 12, [{ role: 3, content: "x" }]])
      await expect(read(blobOf(typeof other === "string" ? other : JSON.stringify(other)))).rejects.toSatisfy((error: unknown) =>
        isMemoryError(error, "unsupported"),
      );
  });
});

describe("the benchmarks' conversations", () => {
  it("come with LoCoMo's sessions, speakers and captions", async () => {
    const found = await read(
      blobOf([
        {
          sample_id: "conv-1",
          qa: [{ question: "?", answer: "!" }],
          conversation: {
            speaker_a: "Ann",
            speaker_b: "Ben",
            session_2_date_time: "1:56 pm on 8 May, 2023",
            session_2: [{ speaker: "Ben", dia_id: "D2:1", text: "I ran.", blip_caption: "a shoe", img_url: ["x"] }],
            session_1_date_time: "12:05 am on 1 May, 2023",
            session_1: [{ speaker: "Ann", dia_id: "D1:1", text: "I swam." }],
          },
        },
      ]),
      undefined,
      "UTC",
    );
    expect(found.conversations).toEqual([
      {
        format: "locomo",
        id: "conv-1",
        sessionId: "1",
        messages: [{ id: "D1:1", name: "Ann", role: "user", text: "I swam.", at: Date.UTC(2023, 4, 1, 0, 5) }],
      },
      {
        format: "locomo",
        id: "conv-1",
        sessionId: "2",
        messages: [{ id: "D2:1", name: "Ben", role: "user", text: "[Image: a shoe] I ran.", at: Date.UTC(2023, 4, 8, 13, 56) }],
      },
    ]);
  });

  it("come with LongMemEval's sessions as conversations", async () => {
    const found = await read(
      blobOf([
        {
          question_id: "q1",
          question: "?",
          haystack_dates: ["2023/05/20 (Sat) 02:21"],
          haystack_session_ids: ["s9"],
          haystack_sessions: [
            [
              { role: "user", content: "I bake.", has_answer: true },
              { role: "assistant", content: "Yum." },
            ],
            [],
          ],
        },
      ]),
      undefined,
      "UTC",
    );
    expect(found.conversations).toMatchObject([{ format: "longmemeval", id: "q1-s9" }]);
    expect(messagesOf(found)[0]).toEqual({ id: "0", role: "user", text: "I bake.", at: Date.UTC(2023, 4, 20, 2, 21) });
    expect(found.empty).toBe(1);
  });
});

describe("a time of an export", () => {
  it.each([
    [1_757_858_100.123456, 1_757_858_100_123],
    ["1757858100", 1_757_858_100_000],
    [1_757_858_100_123, 1_757_858_100_123],
    [1_757_858_100_123_456, 1_757_858_100_123],
    [1.757858100123456e18, 1_757_858_100_123],
    ["2026-01-15T19:00:00.123456Z", Date.UTC(2026, 0, 15, 19, 0, 0, 123)],
    ["2026-01-15T19:00:00+05:30", Date.UTC(2026, 0, 15, 13, 30)],
    ["2026-01-15 19:00", Date.UTC(2026, 0, 15, 18)],
    ["2026-07-15", Date.UTC(2026, 6, 14, 22)],
    ["Thu, 15 Jan 2026 19:00:00 GMT", Date.UTC(2026, 0, 15, 19)],
    [0, undefined],
    ["", undefined],
    [null, undefined],
    [Number.NaN, undefined],
    ["yesterday", undefined],
    ["2026-13-40T00:00:00Z", undefined],
    ["May 2026", undefined],
  ])("%s is %s", (value, expected) => {
    expect(timeOf(value, "Europe/Berlin")).toBe(expected);
  });
});
