import { expect, test } from "vitest";
import { mailboxOf } from "~/lib/email";

test.each([
  ["priya@larkspur.example", "priya@larkspur.example"],
  [" Priya+News@Larkspur.example", "priya@larkspur.example"],
  ["priya+1+2@larkspur.example", "priya@larkspur.example"],
  ["p.raman@larkspur.example", "p.raman@larkspur.example"],
  ["p.r.aman+x@gmail.com", "praman@gmail.com"],
  ["p.raman@googlemail.com", "praman@gmail.com"],
  ["+priya@larkspur.example", "+priya@larkspur.example"],
  ["no address", "no address"],
])("mail to %j reaches the mailbox %j", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
