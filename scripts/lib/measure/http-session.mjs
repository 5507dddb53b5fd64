import { setTimeout } from "node:timers/promises";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { accounts, PASSWORD } from "../demo-world/people.mjs";

/**
 * Returns an HTTP client for a visitor without a browser: keeps cookies, follows no redirects, fills in forms as the
 * pages contain them. On this machine every request comes from an address of its own, so that no limit per address
 * applies; Cloudflare refuses who says so.
 */
export function httpSession(origin) {
  const cookies = new Map();
  let requests = 0;
  const isHere = origin.startsWith("http:");
  const headers = () => {
    requests += 1;
    return {
      Origin: origin,
      ...(isHere && { "CF-Connecting-IP": `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}` }),
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    };
  };
  const send = async (path, init = {}) => {
    const response = await fetch(new URL(path, origin), { redirect: "manual", headers: headers(), ...init });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      if (/max-age=0\b/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  /**
   * Opens the form of a page that has all of these fields. Returns the function that posts it, hidden inputs included.
   */
  const fillIn = async (path, fields) => {
    const page = await (await send(path)).text();
    const form = page
      .split("<form")
      .slice(1)
      .map((part) => part.split("</form>")[0])
      .find((part) => Object.keys(fields).every((name) => part.includes(`name="${name}"`)));
    if (!form) throw new Error(`${path} has no form with ${Object.keys(fields).join(", ")}`);
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const body = new URLSearchParams([...hidden.map(([, name, value]) => [name, value]), ...Object.entries(fields)]);
    return () => send(path, { method: "POST", body });
  };
  const submit = async (path, fields) => (await fillIn(path, fields))();
  return { send, fillIn, submit, headers };
}

/** Holds the half minute whose code was used last: each code signs in once. */
let usedStep = 0;

/** Signs the demo world's admin in: password, then the code of this half minute, or of the next one if it was used. */
export async function signedInAdmin(origin) {
  const { email, totp } = accounts.find(({ role }) => role === "admin");
  const session = httpSession(origin);
  await session.submit("/auth", { email, password: PASSWORD });
  while (stepAt(Date.now()) <= usedStep) await setTimeout(1_000);
  usedStep = stepAt(Date.now());
  const response = await session.submit("/auth", { code: codeAt(totp, usedStep) });
  if (response.status !== 303) throw new Error(`Signing in as ${email} ended with ${response.status}`);
  return session;
}

/**
 * Returns how long the server takes with a wrong password, for an address with an account and for one without: medians
 * in milliseconds, which must not tell the two apart.
 */
export async function signInTimes(origin) {
  const known = accounts.filter(({ email }) => !/^(unverified|new\.admin)/.test(email)).map(({ email }) => email);
  const times = { known: [], unknown: [] };
  for (let round = 0; round < 9; round += 1) {
    const addresses = { known: known[round % known.length], unknown: `nobody${round}@nowhere.example` };
    for (const [kind, email] of Object.entries(addresses)) {
      const post = await httpSession(origin).fillIn("/auth", { email, password: `${PASSWORD}!` });
      const startedAt = performance.now();
      await post();
      times[kind].push(performance.now() - startedAt);
    }
  }
  const median = (numbers) => Math.round(numbers.toSorted((left, right) => left - right)[4]);
  return { "an address with an account": median(times.known), "an address without one": median(times.unknown) };
}
