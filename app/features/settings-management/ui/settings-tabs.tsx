import { LinkTabs } from "~/ui/tabs";
import { GROUP_LABELS, TAB_LABELS } from "../copy";
import { type GroupId, groupPath, groupsOf, SETTINGS_TABS, type SettingsTab, tabPath } from "../model";

/** Shows the tabs of the settings, and below them the parts of the open one. */
export function SettingsTabs({ tab, part }: { tab: SettingsTab; part: GroupId | null }) {
  const parts = groupsOf(tab);
  return (
    <>
      <LinkTabs
        scroll
        label="Settings"
        items={SETTINGS_TABS.map((one) => ({ to: tabPath(one), label: TAB_LABELS[one], current: one === tab }))}
      />
      {parts.length > 1 ? (
        <LinkTabs
          scroll
          label={TAB_LABELS[tab]}
          items={parts.map((one) => ({ to: groupPath(one), label: GROUP_LABELS[one], current: one === part }))}
        />
      ) : null}
    </>
  );
}
