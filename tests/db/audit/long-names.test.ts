import { expect, test } from "vitest";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { bulkChangeStatus, releaseSubmission, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { readFeed } from "../../support/activity";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { selectSubmissions } from "../../support/submission-list";

const firstName = "Maximiliane Alexandra Friederike Charlotte";
const lastName = "von und zu Schwarzburg-Weißenhöfer";

async function longNamed(moderationReason?: "content") {
  const base = testContext();
  const person = await makePerson(base, { role: "admin" });
  const { id } = await makeSubmission(base, { firstName, lastName, moderationReason });
  const form = { submissionId: id, selection: selectSubmissions([{ id, version: 1 }]), nonce: crypto.randomUUID() };
  return { ctx: as(base, person), actor: signedInAs(person, base.now()), form };
}

type Given = Awaited<ReturnType<typeof longNamed>>;

test.each<[string, "content" | undefined, (given: Given) => Promise<unknown>]>([
  ["moved", undefined, ({ ctx, actor, form }) => changeSubmissionStatus(ctx, actor, { ...form, status: "resolved" })],
  [
    "moved with others",
    undefined,
    ({ ctx, actor, form }) => bulkChangeStatus(ctx, actor, { ...form, status: "contacted" }),
  ],
  ["released", "content", ({ ctx, actor, form }) => releaseSubmission(ctx, actor, form)],
  ["released with others", "content", ({ ctx, actor, form }) => releaseSubmissions(ctx, actor, form)],
])("a submission that was %s is found by the end of a name of over sixty letters", async (_, moderationReason, change) => {
  const given = await longNamed(moderationReason);
  await change(given);
  const { entries } = await readFeed(given.ctx.db, "q=weissenhofer");
  const found = entries.filter(({ href }) => href === `/admin/submissions/${given.form.submissionId}`);
  expect(found).toHaveLength(1);
  expect(found[0]?.details).toContain(`${firstName} ${lastName}: `);
});
