import { describe, expect, it } from "vitest";
import { withoutMarkers } from "../../src/imports/chatgpt-text.js";
import { blobOf, chatGptConversation, messagesOf, node, read, textsOf } from "./read.js";

describe("the kept thread of a ChatGPT conversation", () => {
  it("leads from the current node up by parents, past edits and regenerated replies", async () => {
    const found = await read(
      blobOf([
        chatGptConversation(
          [
            node("root", null, null),
            node("old", "root", "Name my cat after a fish."),
            node("oldReply", "old", "Herring?", { role: "assistant" }),
            node("new", "root", "Name my cat after a tree."),
            node("kept", "new", "Hazel?", { role: "assistant" }),
            node("other", "new", "Willow?", { role: "assistant" }),
            node("end", "kept", "Hazel it is."),
          ],
          { current_node: "end" },
        ),
      ]),
    );
    expect(textsOf(found)).toEqual(["Name my cat after a tree.", "Hazel?", "Hazel it is."]);
    expect(found.skipped).toEqual({ "other-branch": 3 });
  });

  it.each([undefined, null, "gone"])("is that of the newest leaf when the current node is %s", async (current) => {
    const nodes = [
      node("r", null, null),
      node("a", "r", "First question?", { at: 1_750_000_001 }),
      node("b1", "a", "One reply.", { role: "assistant", at: 1_750_000_009 }),
      node("b2", "a", "Another reply.", { role: "assistant", at: 1_750_000_005 }),
    ];
    const found = await read(blobOf([chatGptConversation(nodes, { current_node: current })]));
    expect(textsOf(found)).toEqual(["First question?", "One reply."]);
  });

  it("survives a circle and goes on above a missing parent", async () => {
    const circle = [node("a", "b", "I came from b."), node("b", "a", "I came from a.")];
    expect(textsOf(await read(blobOf([chatGptConversation(circle, { current_node: "a" })])))).toHaveLength(2);
    const gap = [
      node("a", null, "I keep newts.", { at: 1_750_000_001 }),
      node("b", "a", "How nice.", { role: "assistant", at: 1_750_000_002 }),
      node("d", "lost", "They are called Pim and Pom.", { at: 1_750_000_009 }),
    ];
    expect(textsOf(await read(blobOf([chatGptConversation(gap, { current_node: "d" })])))).toEqual([
      "I keep newts.",
      "How nice.",
      "They are called Pim and Pom.",
    ]);
  });
});

describe("what was said in a ChatGPT message", () => {
  const said = async (content: object, role = "user", message: object = {}) => {
    const nodes = [node("a", null, null, { role, content, message })];
    return read(blobOf([chatGptConversation(nodes, { current_node: "a" })]));
  };

  it("is its strings and the words of recordings, whatever stands between them", async () => {
    const found = await said({
      content_type: "multimodal_text",
      parts: [
        { content_type: "audio_transcription", text: "My rabbit is called Juno.", direction: "in" },
        { content_type: "audio_asset_pointer", asset_pointer: "sediment://x" },
        { content_type: "image_asset_pointer", asset_pointer: "file-service://y" },
        null,
        "",
        "This is her.",
      ],
    });
    expect(textsOf(found)).toEqual(["My rabbit is called Juno.\nThis is her."]);
    expect(found.attachments).toBe(1);
  });

  it("is nothing when it is a picture alone, which is counted", async () => {
    const found = await said({
      content_type: "multimodal_text",
      parts: [{ content_type: "image_asset_pointer", asset_pointer: "sediment://y" }],
    });
    expect(found).toMatchObject({ empty: 1, skipped: { attachment: 1 }, attachments: 1 });
  });

  it.each([
    [
      "a reasoning block",
      { content_type: "thoughts", thoughts: [{ content: "They like yeast." }] },
      "assistant",
      {},
      "reasoning",
    ],
    ["a recap", { content_type: "reasoning_recap", content: "Thought for 3 s" }, "assistant", {}, "reasoning"],
    ["code for a tool", { content_type: "code", text: "print(1)" }, "assistant", { recipient: "python" }, "tool"],
    ["a document", { content_type: "text", parts: ["{}"] }, "assistant", { recipient: "canmore.create_textdoc" }, "tool"],
    ["a saved memory", { content_type: "text", parts: ["User likes tea"] }, "assistant", { recipient: "bio" }, "tool"],
    ["what a tool says", { content_type: "execution_output", text: "1" }, "tool", {}, "tool"],
    ["a system prompt", { content_type: "text", parts: ["You are helpful"] }, "system", {}, "system"],
    ["a profile", { content_type: "user_editable_context", user_profile: "x" }, "user", {}, "hidden"],
    [
      "a hidden message",
      { content_type: "text", parts: ["Today is 3 March 2024."] },
      "user",
      { metadata: { is_visually_hidden_from_conversation: true } },
      "hidden",
    ],
    ["an empty one", { content_type: "text", parts: [""] }, "user", {}, "empty"],
    ["one of no known role", { content_type: "text", parts: ["x"] }, "critic", {}, "unknown"],
  ])("is nothing in %s", async (_, content, role, message, reason) => {
    const found = await said(content, role, message);
    expect(textsOf(found)).toEqual([]);
    expect(found.skipped).toEqual({ [reason]: 1 });
  });

  it("is read in kinds of content that are not known yet, as far as they have words", async () => {
    expect(textsOf(await said({ content_type: "rich_text_v3", parts: ["I moved to Basel."] }))).toEqual(["I moved to Basel."]);
    expect(textsOf(await said({ parts: ["I have no type."] }))).toEqual(["I have no type."]);
  });

  it("keeps what a user writes as it is, and takes the page's markers out of replies", () => {
    const marker = "\ue200cite\ue202turn0search3\ue202turn1news2\ue201";
    expect(withoutMarkers(`Feed it every 72 hours.${marker} Then rest.`)).toBe("Feed it every 72 hours. Then rest.");
    expect(withoutMarkers('Go to \ue200entity\ue202["city","Lisbon","Portugal"]\ue201 soon.')).toBe("Go to Lisbon soon.");
    expect(withoutMarkers("Cut off \ue200citeturn0 here")).toBe("Cut off  here");
    expect(withoutMarkers("As said.【12†source】【3:4†notes.pdf】")).toBe("As said.");
    expect(withoutMarkers("【注意】这是标题")).toBe("【注意】这是标题");
  });
});

describe("the time of a ChatGPT message", () => {
  const at = async (nodes: readonly (readonly [string, object])[], more: object = {}) =>
    messagesOf(await read(blobOf([chatGptConversation(nodes, { current_node: nodes.at(-1)?.[0], ...more })]))).map(
      (message) => message.at,
    );

  it("is its own in whole milliseconds, else that of the one before, else of the one after", async () => {
    const nodes = [
      node("a", null, "One is undated."),
      node("b", "a", "Two.", { at: 1_757_858_100.123456 }),
      node("c", "b", "Three is undated too."),
      node("d", "c", "Four.", { at: 1_757_858_200 }),
    ];
    expect(await at(nodes)).toEqual([1_757_858_100_123, 1_757_858_100_123, 1_757_858_100_123, 1_757_858_200_000]);
  });

  it("is that of the conversation when no message has one, and none when nothing is known", async () => {
    const nodes = [node("a", null, "I am undated.", { at: 0 })];
    expect(await at(nodes, { create_time: null, update_time: 1_757_858_400.25 })).toEqual([1_757_858_400_250]);
    expect(await at(nodes, { create_time: null })).toEqual([undefined]);
  });
});

it("an export without child lists, mappings or types is read as far as it goes", async () => {
  const found = await read(
    blobOf([
      chatGptConversation([node("r", null, null), node("a", "r", "My kiln reaches 1240 degrees.")], { current_node: "a" }),
      { id: "x", conversation_id: "x", current_node: null, title: null },
      chatGptConversation([], { current_node: null }),
      7,
      null,
      chatGptConversation([node("b", null, "I keep bees.")], { id: "c2", conversation_id: "c2" }),
    ]),
  );
  expect(textsOf(found)).toEqual(["My kiln reaches 1240 degrees.", "I keep bees."]);
  expect(found).toMatchObject({ empty: 2, skipped: { unknown: 2 }, damages: [] });
});

it("one conversation by itself and a wrapped list are read as a list is", async () => {
  const one = chatGptConversation([node("a", null, "I sail.")], { current_node: "a" });
  expect(textsOf(await read(blobOf(one)))).toEqual(["I sail."]);
  expect(textsOf(await read(blobOf({ exported: "today", conversations: [one] })))).toEqual(["I sail."]);
});
