import { LinkTabs } from "~/ui/tabs";
import { TAB_LABELS } from "../copy";
import { MFA_PEOPLE_PATH, SECURITY_PATH } from "../model";

/** Links the tabs of the security center, which are addresses. */
export function SecurityTabs({ tab }: { tab: keyof typeof TAB_LABELS }) {
  return (
    <LinkTabs
      scroll
      label="Security"
      items={[
        { to: SECURITY_PATH, label: TAB_LABELS.monitoring, current: tab === "monitoring" },
        { to: MFA_PEOPLE_PATH, label: TAB_LABELS.mfa, current: tab === "mfa" },
      ]}
    />
  );
}
