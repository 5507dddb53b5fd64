import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { FormColumn } from "~/ui/form-column";
import { SectionRow } from "./section-row";

type LinkRowProps = { id: string; title: string; text: string; link: { label: string; to: string } };

/** Shows a row of the profile that leads to a page of its own. */
export function LinkRow({ id, title, text, link }: LinkRowProps) {
  return (
    <SectionRow id={id} title={title} className="print:hidden">
      <FormColumn>
        <p>{text}</p>
        <ButtonRow>
          <LinkButton variant="quiet" to={link.to}>
            {link.label}
          </LinkButton>
        </ButtonRow>
      </FormColumn>
    </SectionRow>
  );
}
