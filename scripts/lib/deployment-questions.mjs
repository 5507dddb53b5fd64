/* What a first deployment asks, at the terminal or by flags. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { isMade, originProblem, senderProblem, servesHost } from "./production-settings.mjs";

const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam"];
export const JURISDICTIONS = ["eu", "us", "fedramp"];

const hasStores = (settings) => ["DB", "SESSIONS", "FILES"].every((binding) => isMade(settings, binding));

/**
 * Lists what somebody must decide: with which flag, when, how it is asked, and what is wrong with an answer.
 */
const QUESTIONS = [
  {
    flag: "origin",
    isOpen: ({ vars, ...settings }) =>
      originProblem(vars.APP_ORIGIN) !== null || !servesHost(settings, new URL(vars.APP_ORIGIN).hostname),
    question: "Address of the site, such as https://support.your-company.com (its domain must be at Cloudflare)",
    problem: (origin) => originProblem(withoutSlash(origin))?.replace("APP_ORIGIN", "It"),
  },
  {
    flag: "name",
    isOpen: (settings) => !isMade(settings, "DB"),
    question: "Name of this installation in the account, which stays",
    suggestion: ({ settings, answers }) => trialName(answers.origin) ?? settings.name,
    problem: (name) =>
      /^[a-z][a-z0-9-]{1,48}[a-z0-9]$/.test(name) ? null : "It is made of small letters, digits and hyphens",
  },
  {
    flag: "location",
    isOpen: (settings, { jurisdiction }) => !hasStores(settings) && !jurisdiction,
    question: `Where the data are kept, which cannot be changed later: near ${LOCATIONS.join(", ")}, only in ${JURISDICTIONS.join(", ")}, or auto`,
    problem: (place) => ([...LOCATIONS, ...JURISDICTIONS, "auto"].includes(place) ? null : "That is no place"),
  },
  {
    flag: "jurisdiction",
    isOpen: () => false,
    problem: (place) => (JURISDICTIONS.includes(place) ? null : `It is one of ${JURISDICTIONS.join(", ")}`),
  },
  {
    flag: "mail-from",
    isOpen: ({ vars }) => senderProblem(vars.MAIL_FROM) !== null,
    question: "Sender of all mails, such as Your Company <hello@your-company.com>",
    problem: (from) => senderProblem(from)?.replace("MAIL_FROM", "It"),
  },
  {
    flag: "mail-provider",
    isOpen: ({ vars }) => senderProblem(vars.MAIL_FROM) !== null,
    question: "Who sends the mails: cloudflare, or http for another service",
    suggestion: () => "cloudflare",
    problem: (provider, env) => {
      if (provider === "capture" && env) return null;
      return ["cloudflare", "http"].includes(provider) ? null : "It is cloudflare or http";
    },
  },
  {
    flag: "mail-api-url",
    isOpen: ({ vars }, answers) => (answers["mail-provider"] ?? vars.MAIL_PROVIDER) === "http" && !vars.MAIL_API_URL,
    question: "Address of the mail service, which takes mails as JSON",
    problem: (url) => (/^https:\/\/[^/]/.test(url) ? null : "It is an https address"),
  },
];

export const withoutSlash = (origin) => origin.trim().replace(/\/$/, "");

/** Returns the name that an address at workers.dev begins with. */
export const trialName = (origin) => /^https:\/\/([^.]+)\.[^.]+\.workers\.dev\/?$/.exec(origin ?? "")?.[1];

/**
 * Collects all answers before anything is made. Where nobody can be asked it names all flags that are missing at once.
 */
export async function askEverything(walk) {
  const { flags, settings, ask, print, env } = walk;
  const answers = {};
  const missing = [];
  for (const { flag, isOpen, question, suggestion, problem } of QUESTIONS) {
    const wrong = flags[flag] === undefined ? null : problem(flags[flag], env);
    if (wrong) throw new Error(`--${flag}=${flags[flag]} cannot be used. ${wrong}.`);
    if (flags[flag] !== undefined) answers[flag] = flags[flag];
    else if (isOpen(settings, { ...flags, ...answers })) {
      const suggested = suggestion?.({ settings, answers });
      if (flags.yes && suggested) answers[flag] = suggested;
      else if (!ask) missing.push(`--${flag} (${question})`);
      else answers[flag] = await askUntilRight(question, { ask, print, suggestion: suggested, problem });
    }
  }
  if (missing.length > 0) throw new Error(`Nobody can be asked here. Say it with flags:\n  ${missing.join("\n  ")}`);
  return answers;
}

/** Asks at a terminal. What is secret is not shown while it is typed. */
export async function askAtTerminal(
  question,
  { suggestion, isSecret = false } = {},
  { input = process.stdin, output = process.stdout, onInterrupt } = {},
) {
  const prompt = `${question}${suggestion ? ` [${suggestion}]` : ""}: `;
  if (isSecret) output.write(prompt);
  const shown = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output;
  const terminal = createInterface({ input, output: shown, terminal: isSecret || output.isTTY });
  if (onInterrupt) terminal.on("SIGINT", onInterrupt);
  try {
    return (await terminal.question(isSecret ? "" : prompt)) || suggestion || "";
  } finally {
    terminal.close();
    if (isSecret) output.write("\n");
  }
}

export async function askUntilRight(question, { ask, print, suggestion, problem }) {
  for (;;) {
    const answer = (await ask(question, { suggestion })).trim() || suggestion || "";
    const wrong = problem(answer);
    if (!wrong) return answer;
    print(`${wrong}.`);
  }
}

/** Goes on only where somebody agrees, at the terminal or with a flag. */
export async function agree(walk, { fact, flag }) {
  if (walk.flags[flag]) return;
  if (!walk.ask) throw new Error(`${fact} Nothing was done. If that is meant, say so with --${flag}.`);
  if (!/^y(es)?$/i.test((await walk.ask(`${fact} Go on? (yes/no)`, { suggestion: "no" })).trim()))
    throw new Error("Stopped; nothing was done.");
}
