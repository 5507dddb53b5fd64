import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Field, Input } from "~/ui/field";

export const ORGANIZATION_SEARCH = "find";

type OrganizationSearchProps = {
  search: string;
  isEmpty: boolean;
  children?: ReactNode;
};

/** Asks for a part of an organization's name, where there are more than a select offers. Works without scripts. */
export function OrganizationSearch({ search, isEmpty, children }: OrganizationSearchProps) {
  return (
    <form method="get" className="flex flex-wrap items-end gap-3">
      {children}
      <div className="min-w-[min(12rem,100%)] flex-auto">
        <Field
          name={ORGANIZATION_SEARCH}
          label="Find an organization"
          hint={isEmpty ? `No organization has "${search}" in its name.` : undefined}
        >
          <Input key={search} type="search" maxLength={200} autoComplete="off" defaultValue={search} />
        </Field>
      </div>
      <Button type="submit" variant="quiet">
        Search
      </Button>
    </form>
  );
}
