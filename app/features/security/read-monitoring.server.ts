import { readInSiteZone } from "~/features/settings/queries.server";
import type { Ctx } from "~/platform/context.server";
import { countOpenAlerts, listAcknowledged, listOpenAlerts } from "./alerts/queries.server";
import { countSessions, listLockouts, readCoverage, readRecentEvents } from "./queries.server";

/** Reads everything the monitoring page shows, in one round trip. */
export async function readMonitoring({ db, now }: Pick<Ctx, "db" | "now">) {
  const at = now();
  const { settings, value } = await readInSiteZone(db, () =>
    Promise.all([
      readRecentEvents(db),
      listOpenAlerts(db),
      countOpenAlerts(db),
      listAcknowledged(db),
      readCoverage(db),
      countSessions(db, at),
      listLockouts(db, at),
    ]),
  );
  const [events, alerts, alertCount, acknowledged, coverage, sessions, lockouts] = value;
  return { events, alerts, alertCount, acknowledged, coverage, sessions, lockouts, zone: settings.timeZone };
}

export type Monitoring = Awaited<ReturnType<typeof readMonitoring>>;
