import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button, LinkButton } from "./button";

type FiltersProps = {
  label: string;
  /** The list's own address. */
  action: string;
  /** Whether anything is filtered: only then is there something to clear. */
  active: boolean;
  /** `Field`s; the first one is the widest. */
  children: ReactNode;
};

/** A filter is a GET form: its state is the address, and nothing is sent before the button is pressed. */
export function Filters({ label, action, active, children }: FiltersProps) {
  return (
    <Form className="filters" method="get" action={action} role="search" aria-label={label}>
      {children}
      <div className="acts-row">
        <Button type="submit" variant="quiet">
          Apply Filter
        </Button>
        {active ? (
          <LinkButton variant="ghost" to={action}>
            Clear
          </LinkButton>
        ) : null}
      </div>
    </Form>
  );
}
