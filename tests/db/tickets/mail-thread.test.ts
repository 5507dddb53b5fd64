import { expect, test } from "vitest";
import { mailThreadOf } from "~/features/tickets/mails/compose-mails.server";
import { testContext } from "../../support/context";

const MAIL = { ticketId: "tkt_1", number: 1001, userId: "usr_1" };

test("a mail asks for an answer only at a domain at which one is known to have arrived", () => {
  const config = { ...testContext().config, MAIL_INBOUND_DOMAIN: "in.wrenfield.example" };
  const replyAt = (provenInboundDomain: string | null) => mailThreadOf(config, { provenInboundDomain }, MAIL).reply;
  expect(replyAt(null)).toBeNull();
  expect(replyAt("old.wrenfield.example")).toBeNull();
  expect(replyAt("in.wrenfield.example")?.address).toMatch(/^support\+t1001\.[a-z2-7]{10}@in\.wrenfield\.example$/);
  const unset = { ...config, MAIL_INBOUND_DOMAIN: undefined };
  expect(mailThreadOf(unset, { provenInboundDomain: "in.wrenfield.example" }, MAIL).reply).toBeNull();
});

test("the name of a thread stays when answers are found to arrive, so that mail programs keep it together", () => {
  const config = { ...testContext().config, MAIL_INBOUND_DOMAIN: "in.wrenfield.example" };
  const idAt = (provenInboundDomain: string | null) => mailThreadOf(config, { provenInboundDomain }, MAIL).id;
  expect(idAt(null)).toBe(idAt("in.wrenfield.example"));
});
