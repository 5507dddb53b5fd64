import { PLATFORM_ROLES } from "~/access/model";
import { DetailsPanel } from "~/ui/details-panel";
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from "./labels";

export function RoleDescriptions() {
  return (
    <dl className="grid gap-2 text-sm">
      {PLATFORM_ROLES.map((role) => (
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
