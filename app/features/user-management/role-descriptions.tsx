import { cx } from "~/ui/cx";
import { DetailsPanel } from "~/ui/details-panel";
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from "./labels";

const ROLES = ["admin", "moderator", "user"] as const;

export function RoleDescriptions({ className }: { className?: string }) {
  return (
    <dl className={cx("grid gap-2 text-sm", className)}>
      {ROLES.map((role) => (
        <div key={role} className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 max-md:grid-cols-1">
          <dt className="font-semibold">{ROLE_LABELS[role]}</dt>
          <dd className="text-ink-2">{ROLE_DESCRIPTIONS[role]}</dd>
        </div>
      ))}
    </dl>
  );
}

export function RoleDescriptionsPanel() {
  return (
    <DetailsPanel
      className="ml-auto [&>div]:w-[min(34rem,100vw-2rem)]"
      label="What each role can do"
      summaryClass="cursor-pointer text-brand underline"
    >
      <RoleDescriptions />
    </DetailsPanel>
  );
}
