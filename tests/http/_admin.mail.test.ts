import { beforeEach, expect, test } from "vitest";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as listLoader } from "~/routes/_admin.admin.mail._index";
import { action, loader } from "~/routes/_admin.admin.mail.$mailId";
import { mailIn } from "../support/inbound-mail";
import { args, get, post } from "../support/requests";
import { ticketWorld } from "../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let held: Awaited<ReturnType<typeof mailIn>>;
const STRANGER = "stranger@elsewhere.example";

beforeEach(async () => {
  world = await ticketWorld();
  await world.base.db.batch([world.base.db.delete(inboundMail), world.base.db.delete(blockedSenders)]);
  held = await mailIn(world.base, { from: `"Str anger" <${STRANGER}>`, to: "support@mail.wrenfield.example" });
});

const staff = () => world.staff(world.sam).ctx;
const list = async (query = "") => (await listLoader(args(staff(), get(`/admin/mail${query}`)))).json();
const open = async (id = held.id) =>
  (await loader({ ...args(staff(), get(`/admin/mail/${id}`)), params: { mailId: id } })).json();

async function send(intent: string, purpose: string, id = held.id) {
  const ctx = staff();
  const request = post(`/admin/mail/${id}`, { form_token: issueFormToken(ctx, purpose), intent });
  const response = await action({ ...args(ctx, request), params: { mailId: id } });
  await world.base.settle();
  return response.status;
}

test("mail of nobody we know is held, listed with why, and read as text", async () => {
  expect(held).toMatchObject({ state: "held", reason: "unknown_sender" });
  expect((await list()).mails).toMatchObject([{ id: held.id, address: STRANGER, reason: "unknown_sender" }]);
  for (const state of ["failed", "automatic", "bounced"]) expect((await list(`?state=${state}`)).mails).toEqual([]);
  expect((await list("?state=all")).mails).toHaveLength(1);
  // What is no state is the list that needs somebody.
  expect((await list("?state=x%27--&before=y")).state).toBe("held");
  const { mail, content } = await open();
  expect([mail.state, content?.text]).toEqual(["held", "It blinks again."]);
});

test("a mail whose original is gone is still listed, and says that it cannot be shown", async () => {
  await world.base.files.delete([held.object_key]);
  expect((await open()).content).toBeNull();
});

test("a held mail that is tried again ends again, and one that became a message is not touched", async () => {
  expect(await send("retry", "mail-retry")).toBe(303);
  expect((await open()).mail.state).toBe("received");
  expect(await processWaitingMail(world.base)).toBe(1);
  expect((await open()).mail).toMatchObject({ state: "held", reason: "unknown_sender" });
  await world.base.db.update(inboundMail).set({ state: "processed" });
  expect(await send("retry", "mail-retry")).toBe(303);
  expect((await open()).mail.state).toBe("processed");
});

test("mail of a blocked sender is dropped until somebody unblocks them", async () => {
  const again = async () => (await mailIn(world.base, { from: STRANGER, to: "support@mail.wrenfield.example" })).state;
  expect([await send("block", "mail-block"), await send("block", "mail-block")]).toEqual([303, 303]);
  expect([(await open()).mail.isBlocked, await again()]).toEqual([true, "dropped"]);
  expect(await send("unblock", "mail-block")).toBe(303);
  expect([(await open()).mail.isBlocked, await again()]).toEqual([false, "held"]);
});

test("the address of an account cannot be blocked: the account can be shut out", async () => {
  const mail = await mailIn(world.base, { from: world.sam.email, to: "support@mail.wrenfield.example" });
  expect((await open(mail.id)).mail.mayBlock).toBe(false);
  await expect(send("block", "mail-block", mail.id)).rejects.toMatchObject({ status: 404 });
});
