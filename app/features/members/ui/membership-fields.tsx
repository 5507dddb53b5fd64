import { ChoiceField } from "~/ui/list-fields";
import { type Option, optionsWithNone } from "~/ui/select";
import { ROLE_LABELS, STATUS_LABELS } from "../copy";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "../model";

const ROLES: readonly Option[] = optionsWithNone("Any role", MEMBER_ROLES, ROLE_LABELS);
const STATUSES: readonly Option[] = optionsWithNone("Any status", MEMBERSHIP_STATUSES, STATUS_LABELS);

/** Asks for the role and the status by which a list of members is filtered. */
export function MembershipFields({ role, status }: { role: string; status: string }) {
  return (
    <>
      <ChoiceField name="role" id="filter-role" label="Role" options={ROLES} value={role} />
      <ChoiceField name="status" id="filter-status" label="Status" options={STATUSES} value={status} />
    </>
  );
}
