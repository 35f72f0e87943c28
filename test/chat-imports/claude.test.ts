import { describe, expect, it } from "vitest";
import { blobOf, messagesOf, read, textsOf } from "./read.js";

const ROOT = "00000000-0000-4000-8000-000000000000";

function message(uuid: string, text: string, more: object = {}): object {
  return { uuid, text, content: [{ type: "text", text }], sender: "human", created_at: "2026-01-15T19:00:00.000000Z", ...more };
}

function conversation(messages: readonly object[], more: object = {}): object {
  return { uuid: "c1", name: "", created_at: "2026-01-15T18:00:00.000000Z", chat_messages: messages, ...more };
}

describe("a Claude conversation", () => {
  it("is its list where messages name no parents", async () => {
    const found = await read(blobOf([conversation([message("1", "I row."), message("2", "Nice.", { sender: "assistant" })])]));
    expect(messagesOf(found)).toMatchObject([
      { id: "1", role: "user", text: "I row.", at: Date.UTC(2026, 0, 15, 19) },
      { id: "2", role: "assistant" },
    ]);
  });

  it("is the thread of its newest leaf where it is a tree, or of the leaf that is named", async () => {
    const at = (minute: number) => ({ created_at: `2026-01-15T19:0${minute}:00Z` });
    const messages = [
      message("1", "Name my boat.", { parent_message_uuid: ROOT, ...at(0) }),
      message("2", "Heron?", { sender: "assistant", parent_message_uuid: "1", ...at(1) }),
      message("3", "Otter?", { sender: "assistant", parent_message_uuid: "1", ...at(2) }),
      message("4", "Otter it is.", { parent_message_uuid: "3", ...at(3) }),
    ];
    const found = await read(blobOf([conversation(messages)]));
    expect(textsOf(found)).toEqual(["Name my boat.", "Otter?", "Otter it is."]);
    expect(found.skipped).toEqual({ "other-branch": 1 });
    const named = await read(blobOf(conversation(messages, { current_leaf_message_uuid: "2" })));
    expect(textsOf(named)).toEqual(["Name my boat.", "Heron?"]);
  });

  it("takes the text of its blocks, not the lines that stand for others, and nothing that ran behind the scenes", async () => {
    const found = await read(
      blobOf([
        conversation([
          message("1", "x", {
            sender: "assistant",
            text: "Here.\n```\nThis block is not supported on your current device yet.\n```\nDone.",
            content: [
              { type: "thinking", thinking: "The person seems kind." },
              { type: "text", text: "Here." },
              { type: "tool_use", name: "artifacts", input: { content: "<svg/>" } },
              { type: "tool_result", content: [{ type: "text", text: "ok" }] },
              { type: "text", text: "Done." },
            ],
          }),
          message("2", "Old.\n```\nThis block is not supported on your current device yet.\n```\n", { content: [] }),
          message("3", "", { content: [{ type: "thinking", thinking: "x" }], sender: "assistant" }),
          message("4", "", { content: [{ type: "voice_note", text: "I sing alto." }] }),
          message("5", "", { content: [], sender: "tool" }),
        ]),
      ]),
    );
    expect(textsOf(found)).toEqual(["Here.\n\nDone.", "Old.", "I sing alto."]);
    expect(found.skipped).toEqual({ reasoning: 1, tool: 1 });
  });

  it("takes a paste that was sent alone for what was said, and counts every file once", async () => {
    const attachments = [{ file_name: "list.txt", extracted_content: "Milk, eggs, flour." }];
    const found = await read(
      blobOf([
        conversation([
          message("1", "", { content: [], attachments, files: [{ file_name: "list.txt" }] }),
          message("2", "Here is my plan.", { attachments, files: [{ file_name: "" }, { file_uuid: "f" }] }),
          message("3", "", { content: [], files: [{ file_name: "cat.png" }] }),
        ]),
      ]),
    );
    expect(textsOf(found)).toEqual(["Milk, eggs, flour.", "Here is my plan."]);
    expect(found).toMatchObject({ attachments: 5, skipped: { attachment: 1 } });
  });

  it("with nothing said in it is counted, and what is no message too", async () => {
    const found = await read(blobOf([conversation([]), conversation([null as unknown as object, message("1", " ")])]));
    expect(found).toMatchObject({ empty: 2, conversations: [], skipped: { unknown: 1, empty: 1 } });
  });

  it("gives a message without a date that of its neighbours or its own", async () => {
    const found = await read(
      blobOf([conversation([message("1", "I weave.", { created_at: null }), message("2", "On a loom.", { created_at: "" })])]),
    );
    expect(messagesOf(found).map(({ at }) => at)).toEqual([Date.UTC(2026, 0, 15, 18), Date.UTC(2026, 0, 15, 18)]);
  });
});
