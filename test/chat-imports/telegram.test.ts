import { expect, it } from "vitest";
import { blobOf, messagesOf, read, textsOf } from "./read.js";

const message = (id: number, from: string | null, text: unknown, more: object = {}): object => ({
  id,
  type: "message",
  date: "2026-01-15T20:00:00",
  date_unixtime: "1768503600",
  from,
  from_id: `user${from === "Ana" ? 7 : 9}`,
  text,
  ...more,
});

it("one chat is read, with the other one by name and oneself without", async () => {
  const found = await read(
    blobOf({
      name: "Ana",
      type: "personal_chat",
      id: 7,
      messages: [
        message(1, "Ana", "I adopted a lizard."),
        message(2, "Me", ["Send me ", { type: "bold", text: "a photo" }, "!"]),
        message(3, "Ana", "", { photo: "photos/1.jpg" }),
        message(4, "Ana", "Here he is.", { photo: "photos/2.jpg", edited: "2026-01-15T20:05:00" }),
        message(5, null, ""),
        { id: 6, type: "service", date: "2026-01-15T20:00:00", actor: "Ana", action: "phone_call", text: "" },
        message(7, "Me", "I won the lottery!", { forwarded_from: "Uncle Bob" }),
      ],
    }),
  );
  expect(found.conversations.every(({ id }) => id === "personal_chat-7")).toBe(true);
  expect(messagesOf(found)).toEqual([
    { id: "1", role: "user", name: "Ana", text: "I adopted a lizard.", at: 1_768_503_600_000 },
    { id: "2", role: "user", text: "Send me a photo!", at: 1_768_503_600_000 },
    { id: "4", role: "user", name: "Ana", text: "Here he is.", at: 1_768_503_600_000 },
    { id: "7", role: "user", name: "Uncle Bob", text: "I won the lottery!", at: 1_768_503_600_000 },
  ]);
  expect(found).toMatchObject({ attachments: 2, skipped: { service: 1, attachment: 1, empty: 1 } });
});

it("a whole account is read chat by chat, groups by name, bots as assistants, and channels not at all", async () => {
  const group = { name: "Choir", type: "private_group", id: 7 };
  const found = await read(
    blobOf({
      about: "Here is the data you requested.",
      personal_information: { user_id: 9, first_name: "Me" },
      contacts: { list: [{ first_name: "Ana", phone_number: "x" }] },
      chats: {
        about: "…",
        list: [
          { name: "Ana", type: "personal_chat", id: 7, messages: [message(1, "Ana", "I sing."), message(2, "Me", "I hum.")] },
          { ...group, messages: [message(1, "Ana", "Rehearsal at six."), message(2, "Me", "I am late.")] },
          { name: "News", type: "public_channel", id: 3, messages: [message(1, "News", "Buy now!")] },
          {
            name: "Bot",
            type: "bot_chat",
            id: 4,
            messages: [message(1, "Bot", "Hello!", { from_id: "user4" }), message(2, "Me", "Hi")],
          },
          { type: "saved_messages", id: 9, messages: [message(1, "Me", "Locker 4417.")] },
        ],
      },
      left_chats: { list: [{ name: null, type: "private_supergroup", id: 5, messages: [message(1, null, "I left.")] }] },
    }),
  );
  expect(found.conversations.map(({ id, messages }) => [id, messages[0]?.role, messages[0]?.name, messages[0]?.text])).toEqual([
    ["personal_chat-7", "user", "Ana", "I sing."],
    ["personal_chat-7", "user", undefined, "I hum."],
    ["private_group-7", "user", "Ana", "Rehearsal at six."],
    ["private_group-7", "user", undefined, "I am late."],
    ["bot_chat-4", "assistant", "Bot", "Hello!"],
    ["bot_chat-4", "user", undefined, "Hi"],
    ["saved_messages-9", "user", undefined, "Locker 4417."],
    ["private_supergroup-5", "user", undefined, "I left."],
  ]);
  expect(found.skipped).toEqual({ channel: 1 });
});

it("a time without a zone is read in the memory's own", async () => {
  const chat = { name: "G", type: "private_group", id: 1, messages: [message(1, "Ana", "Hello.", { date_unixtime: undefined })] };
  expect(messagesOf(await read(blobOf(chat), undefined, "Asia/Tokyo"))[0]?.at).toBe(Date.UTC(2026, 0, 15, 11));
  expect(textsOf(await read(blobOf(chat)))).toEqual(["Hello."]);
});
