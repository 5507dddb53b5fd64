import { inRoot, loadWrangler } from "./toolchain.mjs";

const WRANGLER_TOML = inRoot("wrangler.toml");

/** `flags`: those by which an environment that is lacking would be made. */
export async function productionSettings(env, file = WRANGLER_TOML, flags = "") {
  const { experimental_readRawConfig, unstable_readConfig } = loadWrangler();
  try {
    const { rawConfig } = experimental_readRawConfig({ config: file });
    if (env && !rawConfig.env?.[env]) {
      throw new Error(`There is no [env.${env}] in it: \`npm run deploy -- --first --env ${env}${flags}\` writes one.`);
    }
    const all = Object.entries({ ...rawConfig.env, "": rawConfig });
    const others = all
      .filter(([key]) => key !== (env ?? ""))
      .map(([key, own]) => ({ name: `${rawConfig.name}-${key}`, ...own }));
    return {
      ...unstable_readConfig({ config: file, env }),
      originsElsewhere: others.map(({ vars }) => vars?.APP_ORIGIN),
      storesElsewhere: others.flatMap(storesOf),
      patternsElsewhere: others.flatMap(routesOf).map(patternOf),
    };
  } catch (error) {
    throw new Error(`wrangler.toml cannot be used. ${error.message.trim()}`);
  }
}

const storesOf = ({ name, d1_databases = [], kv_namespaces = [], r2_buckets = [] }) => [
  name,
  ...d1_databases.map(({ database_id }) => database_id),
  ...kv_namespaces.map(({ id }) => id),
  ...r2_buckets.map(({ bucket_name }) => bucket_name),
];

const routesOf = ({ routes, route }) => [...(routes ?? []), ...(route ? [route] : [])];

const patternOf = (entry) => (typeof entry === "string" ? entry : entry.pattern);

/** Returns the settings of an environment whose data may be replaced. Throws where it is, or mails, any other site. */
export async function rehearsalSettings(env, file = WRANGLER_TOML) {
  const settings = await productionSettings(env, file, " --mail-provider capture");
  const { APP_ENV, MAIL_PROVIDER } = settings.vars;
  if (!env || APP_ENV !== "rehearsal" || MAIL_PROVIDER !== "capture") {
    throw new Error(
      `${env ? `[env.${env}]` : "The top of wrangler.toml"} is not made for a rehearsal: its mails would leave. ` +
        "`npm run deploy -- --first --env rehearsal --mail-provider capture` makes an environment that keeps them.",
    );
  }
  const problem = await productionProblem(env, file);
  if (problem) throw new Error(problem);
  const shared = storesOf(settings).filter((id) => settings.storesElsewhere.includes(id));
  if (shared.length > 0) throw new Error(`[env.${env}] shares ${shared.join(", ")} with another environment.`);
  return settings;
}

/** Returns the name of the environment that a database is of; that at the top of the file has none. */
export async function environmentOfDatabase(name, file = WRANGLER_TOML) {
  const { rawConfig } = loadWrangler().experimental_readRawConfig({ config: file });
  const all = Object.entries({ "": rawConfig, ...rawConfig.env }).flatMap(([env, { d1_databases = [] }]) =>
    d1_databases.map(({ database_name }) => ({ env: env || undefined, database_name })),
  );
  const found = all.find(({ database_name }) => database_name === name);
  if (found) return found.env;
  const names = all.map(({ database_name }) => database_name).join(", ");
  throw new Error(
    `wrangler.toml has no database ${name}, but ${names}. \`npm run deploy -- --first --env restored\` makes another one.`,
  );
}

/**
 * Tells whether wrangler is about to deploy, from the name of its command and the command lines that led to it.
 * Wrangler does not pass `--dry-run` on, and on Windows nobody can read it: there it is "unknown".
 */
export function deploymentState(command, commandLines) {
  if (!/^(deploy|versions upload)$/.test(command ?? "")) return "no";
  const calls = callsOfWrangler(commandLines);
  if (calls.length === 0) return "unknown";
  return calls.some((line) => /\s--dry-?run\b(?!=false)/i.test(line)) ? "no" : "yes";
}

const callsOfWrangler = (commandLines) => commandLines.filter((line) => /wrangler.*\s(deploy|versions)\b/i.test(line));

/** Returns the name of the environment that wrangler was called with, from the same lines. */
export function environmentOf(commandLines) {
  const calls = callsOfWrangler(commandLines);
  const [, name] = calls.map((line) => /\s(?:--env|-e)[\s=]([a-z]\S*)/i.exec(line)).find(Boolean) ?? [];
  return name ?? process.env.CLOUDFLARE_ENV;
}

/**
 * Tells an address at a domain that belongs to nobody, such as those in our own `wrangler.toml`. `domain` may be a
 * host.
 */
const isExampleDomain = (domain) => /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/i.test(domain);

/** Tells an id or name of `wrangler.toml` that stands for a store still to be made. */
export const isPlaceholder = (text) => !text || /^([0-]*1|placeholder\b.*|1001)$/.test(text);

export function mailAddress(from) {
  const [, inBrackets, bare] =
    /^(?:[^<>\r\n"]*<([^<>\s@]+@[^<>\s@]+\.[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+\.[^<>\s@]+))$/.exec(from?.trim() ?? "") ??
    [];
  return inBrackets ?? bare ?? null;
}

/** Says where a store is listed, by its binding, and by which key it is known. */
const STORES = {
  DB: { list: "d1_databases", key: "database_id" },
  SESSIONS: { list: "kv_namespaces", key: "id" },
  FILES: { list: "r2_buckets", key: "bucket_name" },
};

export const storeOf = (settings, binding) =>
  settings[STORES[binding].list].find((store) => store.binding === binding) ?? {};

export const isMade = (settings, binding) => !isPlaceholder(storeOf(settings, binding)[STORES[binding].key]);

/** Tells whether the worker will answer at a host, by its routes or its address at workers.dev. */
export function servesHost(settings, host) {
  const { name, workers_dev } = settings;
  if (workers_dev && host.endsWith(".workers.dev") && host.split(".").length === 4 && host.startsWith(`${name}.`))
    return true;
  return routesOf(settings).some((entry) => {
    const pattern = patternOf(entry);
    if (entry.custom_domain) return pattern === host;
    const [hostPattern, ...path] = pattern.replace(/^https?:\/\//, "").split("/");
    if (path.join("/") !== "*") return false;
    return hostPattern.startsWith("*") ? host.endsWith(hostPattern.slice(1)) : hostPattern === host;
  });
}

export function originProblem(origin) {
  const url = URL.canParse(origin ?? "") ? new URL(origin) : null;
  if (url?.protocol !== "https:") return "APP_ORIGIN must be the https address of the site";
  if (isExampleDomain(url.hostname)) return "APP_ORIGIN is still an example";
  if (
    url.port ||
    url.username ||
    !url.hostname.includes(".") ||
    /^[\d.]+$/.test(url.hostname) ||
    url.href !== `${url.origin}/`
  ) {
    return "APP_ORIGIN must be a bare host, such as https://support.your-company.com";
  }
  return null;
}

export function senderProblem(from) {
  const address = mailAddress(from);
  if (!address) return "MAIL_FROM must be an address, such as Your Company <hello@your-company.com>";
  return isExampleDomain(address.split("@")[1]) ? "MAIL_FROM is still an example" : null;
}

/** Returns one sentence that names everything in `wrangler.toml` that must not be deployed, or null. */
export async function productionProblem(env, file = WRANGLER_TOML) {
  const settings = await productionSettings(env, file).catch((error) => error);
  if (settings instanceof Error) return settings.message.replace(/\s+/g, " ");
  const problems = problemsOf(settings, env);
  if (problems.length === 0) return null;
  const command = `npm run deploy -- --first${env ? ` --env ${env}` : ""}`;
  return `wrangler.toml is not ready for production: ${problems.join("; ")}. \`${command}\` sets what is missing.`;
}

function problemsOf(settings, env) {
  const { vars, originsElsewhere, patternsElsewhere, ratelimits } = settings;
  const problems = [];
  const isRehearsal = Boolean(env) && vars.APP_ENV === "rehearsal";
  if (vars.APP_ENV !== "production" && !isRehearsal) problems.push("APP_ENV must be production");
  if (vars.MAIL_PROVIDER === "capture" && !isRehearsal)
    problems.push("MAIL_PROVIDER=capture keeps every mail from being sent");
  const wrongOrigin = originProblem(vars.APP_ORIGIN);
  if (wrongOrigin) problems.push(wrongOrigin);
  else if (originsElsewhere.includes(vars.APP_ORIGIN)) problems.push("APP_ORIGIN is that of another environment too");
  const host = wrongOrigin ? "" : new URL(vars.APP_ORIGIN).hostname;
  if (!wrongOrigin && !servesHost(settings, host)) problems.push(`no route leads from ${host} to the worker`);
  // An environment without routes of its own has those of the top, and takes them.
  const taken = routesOf(settings)
    .map(patternOf)
    .filter((pattern) => patternsElsewhere.includes(pattern));
  if (taken.length > 0) problems.push(`the route ${taken.join(", ")} is that of another environment too`);
  const wrongSender = senderProblem(vars.MAIL_FROM);
  if (wrongSender) problems.push(wrongSender);
  if (!isMade(settings, "DB")) problems.push("database_id is a placeholder");
  if (!isMade(settings, "SESSIONS")) problems.push("the id of the KV namespace is a placeholder");
  if (!isMade(settings, "FILES")) problems.push("bucket_name is a placeholder");
  const limits = ["RL_SESSION", "RL_ADDRESS"].map((name) => ratelimits.find((limit) => limit.name === name) ?? name);
  const missing = limits.filter((limit) => typeof limit === "string");
  const shared = limits.filter((limit) => limit.name && isPlaceholder(limit.namespace_id)).map(({ name }) => name);
  if (missing.length > 0) problems.push(`the rate limit ${missing.join(" and ")} is missing`);
  if (shared.length > 0)
    problems.push(`the namespace_id of ${shared.join(" and ")} is a placeholder, which other workers use too`);
  return problems;
}

/** Stands for any key while it is only asked whether one is there. */
const SOME_KEY = Buffer.alloc(32).toString("base64");

/**
 * Asks the worker's own rules what it would miss with these variables and the secrets of these names. Returns the names
 * of the keys that are missing, which are random bytes and can be made, and what else is wrong, a sentence each.
 */
export async function missingConfiguration(vars, secretNames) {
  const { readConfig } = await import("~/platform/env.server");
  const problemsWith = (names) => {
    const result = readConfig({ ...vars, ...Object.fromEntries(names.map((name) => [name, SOME_KEY])) });
    return result.ok ? [] : result.problems;
  };
  const keys = [];
  for (let found = true; found; ) {
    const present = [...secretNames, ...keys];
    found = problemsWith(present)
      .map((problem) => problem.split(":")[0])
      .find(
        (name) =>
          !problemsWith([...present, name]).some((problem) => problem.startsWith(`${name}:`)) && !keys.includes(name),
      );
    if (found) keys.push(found);
  }
  return { keys, problems: problemsWith([...secretNames, ...keys]) };
}
