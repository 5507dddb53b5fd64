import { beforeEach, expect, test } from "vitest";
import { prepareBackupCodes } from "~/features/auth/factors.server";
import { isHashQueueFull } from "~/platform/hash-queue.server";
import * as backupCodes from "~/routes/_account.profile.backup-codes";
import type { TestContext } from "../support/context";
import { makePerson, type Person } from "../support/factories";
import { withFullHashQueue } from "../support/full-hash-queue";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let person: Person;
let codes: string[];

beforeEach(async () => {
  ({ ctx, browser } = newVisitor());
  person = await makePerson(ctx, { withPassword: true });
  await browser.password(person.email);
  const prepared = await prepareBackupCodes(ctx, person.id);
  codes = prepared.codes;
  for (const statement of prepared.statements) await ctx.db.batch([statement]);
});

const download = (typed: readonly string[]) =>
  browser.submit(backupCodes.action, "/profile/backup-codes", "account", { codes: typed.join(" ") });

test("a person downloads ten times an hour, then waits; nobody else does", async () => {
  const statuses: number[] = [];
  for (let time = 0; time < 11; time += 1) statuses.push((await download(codes.slice(0, 1))).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  expect((await download(codes)).headers.get("Retry-After")).toBe("900");
});

test("with a full hash queue the download fails with the error that is answered with 503", async () => {
  const error = await withFullHashQueue(() => download(codes).catch((thrown: unknown) => thrown));
  expect(isHashQueueFull(error)).toBe(true);
});
