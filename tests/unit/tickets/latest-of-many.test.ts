import { expect, test } from "vitest";
import { latestOfMany } from "~/features/tickets/thread.server";

const messages = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `msg_${index + 1}` }));

test("a conversation of more than ten messages leads to its last one", () => {
  expect([0, 10, 11].map((count) => latestOfMany(messages(count)))).toEqual([null, null, "msg_11"]);
});
