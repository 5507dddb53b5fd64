/*
 * npm run deploy -- --first: everything between a clone and the first deployment. Every step looks first whether it was
 * done, so the command can be repeated and goes on where it stopped. The outside world is that of deployment.mjs.
 */
import { randomInt } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import { checkAddress, putMissingKeys, secretNames } from "./deployment.mjs";
import { askEverything, askUntilRight, trialName, withoutSlash } from "./deployment-questions.mjs";
import { change, lockAudit, makeBucket, makeDatabase, makeNamespace } from "./deployment-stores.mjs";
import { addEnvironment, newEnvironment, writeSettings } from "./edit-settings.mjs";
import { isMade, isPlaceholder, mailAddress, productionSettings, servesHost } from "./production-settings.mjs";
import { loadWrangler } from "./toolchain.mjs";
import { inEnvironment, signedIn, wrangler } from "./wrangler.mjs";

/** Lists the steps before the deployment itself: what each does, in words for `--dry-run`, and how. */
const STEPS = [
  { does: "look whether you are signed in to Cloudflare, and in which account", run: chooseAccount, changes: false },
  { does: "look whether the domain is in that account and free", run: checkNewAddress, changes: false },
  { does: "write name, address, sender and two rate limits of its own into wrangler.toml", run: writeBasics },
  { does: "create the database (D1) where you want it, or find it, and write its id", run: makeDatabase },
  { does: "create the namespace for sessions (KV), or find it, and write its id", run: makeNamespace },
  { does: "create the bucket for files (R2), or find it, and write its name", run: makeBucket },
  { does: "lock the copies of the audit in it for 400 days", run: lockAudit },
  {
    does: "make the worker's keys, as far as it has none",
    run: (walk) => putMissingKeys(walk, { keyFile: walk.flags.keys }),
  },
  { does: "look whether the mail domain may send, and say what its DNS needs", run: prepareMail },
];

const LAST_STEPS = [
  "note a bookmark of the database, to which it can go back",
  "migrate the database",
  "deploy the worker; the first time, connect it with a queue of what becomes of its mails",
  "wait until the site answers, and say how the first administrator gets in while there is none",
];

export function describeDeployment({ print, isFirst, env }) {
  const steps = [...(isFirst ? STEPS.map(({ does }) => does) : []), ...LAST_STEPS];
  print(
    `A deployment${env ? ` of ${env}` : ""} would${isFirst ? ", leaving out what was done before" : ""}, and this dry run does none of it:`,
  );
  for (const [index, does] of steps.entries()) print(`  ${index + 1}. ${does}`);
}

export async function prepareFirstDeployment(world) {
  const walk = { ...world, settings: await settingsSoFar(world) };
  walk.answers = await askEverything(walk);
  for (const { run, changes = true } of STEPS) {
    await run(walk).catch((error) => {
      throw changes ? new Error(`${error.message}\nRun the same command again: it goes on from here.`) : error;
    });
  }
}

/** Returns the settings, and those that an environment would begin with where the file has none of that name yet. */
async function settingsSoFar({ env, files }) {
  const production = await productionSettings("", files.settings);
  const { experimental_readRawConfig } = loadWrangler();
  const { rawConfig } = experimental_readRawConfig({ config: files.settings });
  if (!env || rawConfig.env?.[env]) return productionSettings(env, files.settings);
  const originsElsewhere = [...production.originsElsewhere, production.vars.APP_ORIGIN];
  return { ...production, ...newEnvironment(rawConfig, env), originsElsewhere };
}

async function chooseAccount(walk) {
  const accounts = await signedIn(walk);
  const known = walk.settings.account_id ?? process.env.CLOUDFLARE_ACCOUNT_ID;
  let id = walk.flags.account ?? known;
  if (!id && accounts.length > 1) {
    const list = accounts.map((account) => `${account.id} (${account.name})`).join(", ");
    if (!walk.ask) throw new Error(`There are several accounts. Say which with --account: ${list}.`);
    const isOne = (answer) => (accounts.some((account) => account.id === answer) ? null : "That is none of them");
    id = await askUntilRight(`Account, one of ${list}`, { ...walk, problem: isOne });
  }
  if (id && accounts.length > 0 && !accounts.some((account) => account.id === id)) {
    throw new Error(
      `You are signed in, but not to the account ${id}: sign in with another user, or change account_id.`,
    );
  }
  if (id && id !== known) await writeSettings(walk.files.settings, [{ table: "", key: "account_id", value: id }]);
  walk.print(
    `Account: ${accounts.find((account) => account.id === id)?.name ?? accounts[0]?.name ?? id ?? "the only one"}`,
  );
}

const originOf = ({ answers, settings }) => withoutSlash(answers.origin ?? settings.vars.APP_ORIGIN);

async function checkNewAddress(walk) {
  const { origin, hostname } = new URL(originOf(walk));
  if (walk.settings.originsElsewhere.includes(origin)) {
    throw new Error(`${hostname} is that of another environment too. Nothing was done.`);
  }
  if (!hostname.endsWith(".workers.dev")) await expectZone(walk, hostname);
  await checkAddress(walk, hostname, walk.settings);
}

/** Throws when the account has no zone for a host. Only commands about mail ask for one by its name. */
async function expectZone(walk, host) {
  const { code, output } = await walk.run(["email", "sending", "list", host], {});
  if (code !== 0 && /Could not find a zone/.test(output))
    throw new Error(
      `The domain of ${host} is not in this account. Add it at https://dash.cloudflare.com (and its nameservers at the registrar), ` +
        "or choose an address at workers.dev for a trial. Nothing was done.",
    );
}

async function writeBasics(walk) {
  const { answers, settings, env, files } = walk;
  const origin = originOf(walk);
  const { hostname } = new URL(origin);
  const isTrial = hostname.endsWith(".workers.dev");
  const name = answers.name ?? settings.name;
  if (isMade(settings, "DB") && name !== settings.name)
    throw new Error(`This installation is called ${settings.name}, and that stays.`);
  if (isTrial && trialName(origin) !== name)
    throw new Error(`At workers.dev the address begins with the name: ${name}.`);
  if (env) await addEnvironment(files.settings, env);
  const variable = (key, value) => (value === undefined ? [] : [{ table: "vars", key, value }]);
  const limits = settings.ratelimits.filter((limit) => isPlaceholder(limit.namespace_id));
  const isServed = servesHost({ ...settings, name }, hostname);
  const noRoutes = env ? [] : null;
  await change(
    walk,
    { table: "", key: "name", value: name },
    { table: "vars", key: "APP_ORIGIN", value: origin },
    ...(isServed
      ? []
      : [
          { table: "", key: "routes", value: isTrial ? noRoutes : [{ pattern: hostname, custom_domain: true }] },
          { table: "", key: "workers_dev", value: isTrial },
        ]),
    ...variable("MAIL_FROM", answers["mail-from"]),
    ...variable("MAIL_PROVIDER", answers["mail-provider"]),
    ...variable("APP_ENV", answers["mail-provider"] === "capture" ? "rehearsal" : undefined),
    ...variable("MAIL_API_URL", answers["mail-api-url"]),
    ...limits.map((limit) => ({
      table: "ratelimits",
      of: limit.name,
      key: "namespace_id",
      value: String(randomInt(100_000, 2_000_000_000)),
    })),
  );
  walk.print(`Settings: ${name} at ${origin}, mails from ${walk.settings.vars.MAIL_FROM}`);
}

async function prepareMail(walk) {
  const { vars } = walk.settings;
  if (vars.MAIL_PROVIDER === "http") return putMailKey(walk);
  if (vars.MAIL_PROVIDER === "capture") return walk.print("Mail: none leaves, because this site is for rehearsals");
  const domain = mailAddress(vars.MAIL_FROM).split("@")[1];
  const { code, output } = await walk.run(["email", "sending", "list", domain], {});
  if (code === 0 && isEnabled(output, domain)) return walk.print(`Mail: ${domain} may send, as before`);
  if (/Could not find a zone/.test(output)) {
    return walk.print(
      `Mail: none can be sent yet, because ${domain} is not in this account. Add it at https://dash.cloudflare.com, or use ` +
        "another service (--mail-provider http), and run this again.",
    );
  }
  const byHand = `npx wrangler email sending enable ${domain}`;
  const mayEnable =
    walk.flags.yes ||
    /^y/i.test(
      (await walk.ask?.(`Let ${domain} send mails? It gets DNS records. (yes/no)`, { suggestion: "yes" })) ?? "",
    );
  const enabled = mayEnable ? await walk.run(["email", "sending", "enable", domain], {}) : null;
  if (enabled?.code !== 0) {
    return walk.print(
      `Mail: none can be sent until ${domain} may send: \`${byHand}\` (needs Workers Paid), or Email Sending in the dashboard.`,
    );
  }
  const records = await walk.run(["email", "sending", "dns", "get", domain], {});
  walk.print(`Mail: ${domain} may send. These records must be in its DNS:`);
  walk.print(
    records.code === 0 ? records.output.trim() : `  (to see them: npx wrangler email sending dns get ${domain})`,
  );
}

const isEnabled = (table, domain) =>
  stripVTControlCharacters(table)
    .split("\n")
    .some(
      (line) =>
        line
          .split(/[│|\s]+/)
          .filter(Boolean)
          .slice(0, 2)
          .join(" ") === `${domain} yes`,
    );

/** The key of another mail service is its own, so it is given to us, in the environment of the command. */
async function putMailKey(walk) {
  if ((await secretNames(walk)).includes("MAIL_API_KEY"))
    return walk.print("Mail: the key of the service is there, as before");
  const key = walk.flags["mail-api-key"] ?? (await walk.ask?.("Key of the mail service", { isSecret: true }))?.trim();
  if (!key) throw new Error("The mail service needs a key: put it into the variable MAIL_API_KEY of this command.");
  const args = ["secret", "bulk", ...inEnvironment(walk)];
  await wrangler(walk, {
    title: "Mail: storing the key of the service …",
    args,
    input: JSON.stringify({ MAIL_API_KEY: key }),
  });
}
