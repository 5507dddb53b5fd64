import { accounts, PASSWORD } from "../demo-world/accounts.mjs";
import { httpSession } from "./http-session.mjs";
import { printTable } from "./print-table.mjs";

/*
 * Measures what hashing passwords does to everybody else, and whether the forms that hash tell accounts apart by time.
 */

const PARALLEL = 12;
/** Sets how often each page and each form is measured; a quick run takes a good twenty seconds. */
const ROUNDS = { quick: { probes: 10, tries: 5 }, full: { probes: 40, tries: 9 } };
const WRONG = "Wrong!Horse7battery";

/** Lists the addresses of the demo world whose accounts are open and have a password. */
const known = accounts.filter(({ email }) => !/^(unverified|new\.admin)/.test(email)).map(({ email }) => email);

/** Measures both, prints both tables and returns their rows. */
export async function printHashing(origin, admin, isQuick) {
  const { probes, tries } = ROUNDS[isQuick ? "quick" : "full"];
  const pages = await whileHashing(origin, admin, probes);
  const forms = await timesOfForms(origin, tries);
  printTable(`Pages while ${PARALLEL} sign-ins are hashed at once, milliseconds`, pages);
  printTable("Forms that must not tell accounts apart, medians in milliseconds", forms);
  return { pages, forms };
}

/**
 * Returns the milliseconds until pages answer, on an idle server and while twelve people try to sign in at once, over
 * and over. `admin` is a signed-in session (`httpSession`). Rows: page, idle p50 and p95, busy p50 and p95.
 */
async function whileHashing(origin, admin, probes) {
  const visitor = httpSession(origin);
  const pages = [
    ["/healthz", visitor],
    ["/", visitor],
    ["/admin", admin],
  ];
  const probe = async () => {
    const times = pages.map(() => []);
    for (let round = 0; round < probes; round += 1) {
      for (const [index, [path, session]] of pages.entries()) {
        times[index].push(await milliseconds(() => session.send(path)));
      }
    }
    return times;
  };
  await probe();
  const idle = await probe();
  const post = await formPoster(origin, "/auth");
  let isOver = false;
  let attempts = 0;
  const answers = { 400: 0, 503: 0 };
  const load = Array.from({ length: PARALLEL }, async () => {
    while (!isOver) {
      attempts += 1;
      const fields = { intent: "sign-in", email: `nobody${attempts}@nowhere.example`, password: WRONG };
      answers[await statusOf(post(fields), [400, 503])] += 1;
    }
  });
  const busy = await probe();
  isOver = true;
  await Promise.all(load);
  return pages.map(([path], index) => ({
    page: path,
    "idle p50": rank(idle[index], 0.5),
    "idle p95": rank(idle[index], 0.95),
    "busy p50": rank(busy[index], 0.5),
    "busy p95": rank(busy[index], 0.95),
    "hashed meanwhile": answers[400],
    "turned away": answers[503],
  }));
}

/**
 * Returns the medians, in milliseconds, of the time a response takes for an address with an account and for one
 * without, tried in turns. Each try comes from a network of its own and, for known addresses, goes to another account,
 * so that no limit applies.
 */
async function timesOfForms(origin, tries) {
  const FORMS = [
    ["sign-in", "/auth", 400, (email) => ({ intent: "sign-in", email, password: WRONG })],
    ["reset", "/login?mode=reset", 303, (email) => ({ intent: "request-reset", email })],
    [
      "sign-up",
      "/client/auth?tab=create",
      303,
      (email) => ({
        intent: "sign-up",
        full_name: "Priya Raman",
        email,
        password: PASSWORD,
        confirm_password: PASSWORD,
        organization_name: "",
      }),
    ],
  ];
  const rows = [];
  for (const [form, path, status, fields] of FORMS) {
    const post = await formPoster(origin, path);
    const times = { known: [], unknown: [] };
    for (let round = 0; round < tries; round += 1) {
      const addresses = { known: known[round % known.length], unknown: `${form}${round}@nowhere.example` };
      for (const kind of ["known", "unknown"]) {
        times[kind].push(await milliseconds(() => post(fields(addresses[kind])), status));
      }
    }
    const medians = { known: rank(times.known, 0.5), unknown: rank(times.unknown, 0.5) };
    const difference = Math.abs(medians.known - medians.unknown) / Math.max(medians.known, medians.unknown);
    rows.push({ form, ...medians, "difference, %": Math.round(100 * difference) });
  }
  return rows;
}

/** Posts forms of a page with one token for all: only the post itself is measured. Each comes from its own network. */
async function formPoster(origin, path) {
  const visitor = httpSession(origin);
  const page = await (await visitor.send(path)).text();
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return (fields) => visitor.send(path, { method: "POST", body: new URLSearchParams({ form_token, ...fields }) });
}

/**
 * Returns how long a response took. One with another status would be the time of something else, so it ends the run.
 */
async function milliseconds(request, status = 200) {
  const startedAt = performance.now();
  await statusOf(request(), [status]);
  return performance.now() - startedAt;
}

async function statusOf(answer, expected) {
  const response = await answer;
  await response.arrayBuffer();
  if (!expected.includes(response.status)) throw new Error(`${response.url} answered ${response.status}`);
  return response.status;
}

/** Returns the value below which this share of the numbers is. */
const rank = (numbers, share) =>
  Math.round(numbers.toSorted((left, right) => left - right)[Math.floor((numbers.length - 1) * share)]);
