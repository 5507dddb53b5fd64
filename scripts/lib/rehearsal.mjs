import { codeAt, stepAt } from "~/features/auth/factors.server";
import { CLIENT_SIGN_IN_PATH, STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { rulesFor } from "~/lib/areas";
import { referenceNumber, sortableId } from "~/lib/ids";
import { pause } from "./child-process.mjs";
import { addVisitor, visit } from "./drill.mjs";
import { httpSession } from "./measure/http-session.mjs";
import { smokeTest } from "./smoke-test.mjs";

/**
 * Adds who signs in: two administrators, because a code is good for one sign-in, and the owner of the organization with
 * the newest ticket.
 */
export function addVisitors(database, keys, now) {
  const visitor = addVisitor(database, keys, now);
  const staff = addVisitor(database, keys, now + 1);
  const client = addVisitor(database, keys, now + 2);
  const newest = database
    .prepare("select number, organization_id as organization from support_tickets order by number desc limit 1")
    .get();
  const organization = newest?.organization ?? database.prepare("select id from organizations limit 1").get()?.id;
  if (!organization) return { visitor, staff, client: null };
  database.exec("begin immediate");
  const { id } = database.prepare("select id from users where email = ?").get(client.email);
  database.prepare("delete from user_roles where user_id = ?").run(id);
  database
    .prepare(
      `insert into organization_memberships(id, created_at, updated_at, organization_id, user_id, role, status, joined_at, number)
       select ?2, ?1, ?1, ?3, ?4, 'owner', 'active', ?1, coalesce(max(number), 0) + 1 from organization_memberships`,
    )
    .run(now, sortableId("mem", now, Buffer.alloc(16)), organization, id);
  database.exec("commit");
  const ticket = newest ? `/client/tickets/${referenceNumber("ticket", newest.number)}` : null;
  return { visitor, staff, client: { ...client, ticket } };
}

async function signedIn(origin, path, { email, password, totp }) {
  const session = httpSession(origin);
  await session.submit(path, { email, password });
  const { status } = await session.submit(path, { code: codeAt(totp, stepAt(Date.now())) });
  if (status !== 303) throw new Error(`Signing in at ${path} ended with ${status}.`);
  return session;
}

/** Opens a page, and every page of the same area that its navigation leads to. Returns how long each took. */
async function openArea(session, home, more = []) {
  const { area } = rulesFor(home);
  const html = await open(session, home, []);
  const seen = [];
  const links = [...html.matchAll(/<nav\b.*?<\/nav>/gs)].flatMap(([nav]) => [...nav.matchAll(/href="(\/[^"#?]*)/g)]);
  const paths = new Set([home, ...more, ...links.map(([, path]) => path)]);
  for (const path of paths)
    if (rulesFor(path).area === area && !rulesFor(path).isDownload) await open(session, path, seen);
  return seen;
}

async function open(session, path, seen) {
  const started = performance.now();
  const response = await session.send(path);
  const html = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}.`);
  seen.push({ path, time: performance.now() - started });
  return html;
}

const AREAS = { site: "of the public site", portal: "of the portal", admin: "of the back office" };

/**
 * Asks a product that runs on replaced data what a deployment and a drill ask, opens the main pages of each area, and
 * lets the jobs run. Returns what was seen, a line each. `said`: what the server has written so far.
 */
export async function rehearse(origin, { visitor, staff, client }, { said, print }) {
  const trouble = await smokeTest(origin, { fetch, print, clock: { now: Date.now, wait: pause } });
  if (trouble) throw new Error(trouble.text);
  const lines = await visit(origin, visitor);
  const pages = {
    site: await openArea(httpSession(origin), "/"),
    portal: client
      ? await openArea(
          await signedIn(origin, CLIENT_SIGN_IN_PATH, client),
          "/client",
          client.ticket ? [client.ticket] : [],
        )
      : [],
    admin: await openArea(await signedIn(origin, STAFF_SIGN_IN_PATH, staff), "/admin"),
  };
  const all = Object.values(pages).flat();
  const slowest = all.reduce((one, other) => (one.time > other.time ? one : other));
  const counts = Object.entries(pages).map(([area, { length }]) => `${length} ${AREAS[area]}`);
  lines.push(
    `Opened ${all.length} pages (${counts.join(", ")}); the slowest, ${slowest.path}, took ${Math.round(slowest.time)} ms`,
  );
  const { status } = await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`);
  if (status !== 200) throw new Error(`The jobs ended with ${status}.`);
  lines.push("The jobs ran once more");
  const errors = said().match(/\{"level":"error".*\}/g) ?? [];
  if (errors.length > 0) throw new Error(`The server has reported ${errors.length} errors, the first: ${errors[0]}`);
  return lines;
}
