import { expect, test } from "vitest";
import { renderMail } from "~/features/mail/kinds";
import { MAIL_CONTEXT as context } from "../../support/mail-context";

const namesOf = (author: string, message: string) => {
  const { text } = renderMail("submission-reply", { author, message }, context);
  return text.split(author).length - 1;
};

test.each([
  ["nobody has signed", "Hello Priya,\n\nMonday works.", true],
  ["a sentence only ends with the name", "Hello,\nplease ask for Jordan Vale", true],
  ["a name stands in the middle", "Jordan Vale\nis away.\nMonday works.\nUntil then\nall the best", true],
  ["the name stands below", "Monday works.\n\nKind regards\nJordan Vale", false],
  ["the first name stands below", "Monday works.\n\nBest, Jordan", false],
  ["company and phone follow", "Monday works.\n\n– jordan vale\nWrenfield\n(555) 555-0142", false],
])("the author of a reply is named once: %s", (_, message, isAdded) => {
  expect(namesOf("Jordan Vale", message) - (message.split("Jordan Vale").length - 1)).toBe(isAdded ? 1 : 0);
});

test.each([
  ["Anne-Marie Smith", "Monday works.\nBest, Anne-Marie Smith", 1],
  ["Anne-Marie Smith", "Monday works.\n- Anne-Marie Smith", 1],
  ["Anne-Marie Smith", "Monday works.\nAnne-Marie", 0],
  ["Jean-Luc", "Monday works.\n-Jean-Luc", 1],
  ["Jean-Luc", "Monday works.\nBest - Jean-Luc.", 1],
  ["Marie", "Monday works.\nAsk Anne-Marie", 2],
])("%s, whose name or message has a hyphen, is named once: %j", (author, message, names) => {
  expect(namesOf(author, message)).toBe(names);
});
