import type { Tone } from "~/ui/status-pill";
import type { CheckState } from "./model";

export const OPERATIONAL = "All systems operational";
export const ATTENTION_NEEDED = "Attention needed";

export const CHECK_STATES: Record<CheckState, { label: string; tone: Tone }> = {
  ok: { label: "OK", tone: "resolved" },
  attention: { label: ATTENTION_NEEDED, tone: "waiting" },
  unknown: { label: "Unknown", tone: "waiting" },
  off: { label: "Off", tone: "closed" },
};

export const REMEDIES: Record<string, { wanted: string; fix: string }> = {
  Database: {
    wanted: "A change written in the last 5 minutes",
    fix: "Look at the database's page at Cloudflare; run the migrations if an update has just been made.",
  },
  "Database size": {
    wanted: "Less than 5 GB of the 10 GB that a database may have",
    fix: "See under Installed what takes the room. From 8 GB on, old activity and old tickets have to move to files: docs/decisions/0048 in the project says how.",
  },
  "Mail queue": {
    wanted: "No mail older than 15 minutes",
    fix: "Check the mail provider's key and its status page; mails leave by themselves once it answers. If its quota is used up, raise it there, and MAIL_DAILY_LIMIT where that is set: a mail is tried each hour, and the rest follow.",
  },
  "Scheduled work": {
    wanted: "A run in the last 15 minutes",
    fix: "Check that the worker's cron trigger is there: deploying again sets it.",
  },
  "File store": { wanted: "An answer in the last 5 minutes", fix: "Check the R2 bucket and its binding." },
  "Audit record": {
    wanted: "Verified each night",
    fix: "Do not change the database by hand. Compare it with the nightly copies of the record. If it was restored by hand, run `npm run restore:bookmark -- <bookmark> --already-restored`.",
  },
  Backup: {
    wanted: "One in the last 2 days",
    fix: "Run `npm run backup -- --new-key FILE` on a machine of yours, and put what it prints into wrangler.toml, and deploy: docs/backup.md. If the key is set, see under Scheduled work what back-up says.",
  },
  Restore: {
    wanted: "Proven in the last 40 days",
    fix: "On the machine that keeps the backups, run `npm run drill` with `--from` each month: docs/backup.md.",
  },
  "Bot check": { wanted: "On", fix: "Set TURNSTILE_SITE_KEY and TURNSTILE_SECRET, and deploy." },
  "Mail sent today": {
    wanted: "Within the provider’s quota",
    fix: "Raise the quota at the provider: a mail is tried each hour, and the rest follow. Set MAIL_DAILY_LIMIT to what it lets you send on a day, a whole number: its last 20% are kept for sign-in mail.",
  },
  "Mail not delivered": {
    wanted: "Few",
    fix: "Each is shown where it belongs, with a way to send it again; addresses at their person.",
  },
  "Mail that arrived": {
    wanted: "None failed, and none that waits for 15 minutes",
    fix: "Look at the failed ones under Mail: each says why.",
  },
  "Mail provider": { wanted: "Connected", fix: "Set MAIL_PROVIDER and its key, and deploy." },
};
