import { ButtonRow } from "~/ui/button-row";
import { Tick } from "~/ui/checkbox";
import { Form, SubmitButton } from "~/ui/form";
import { PREFERENCES_PATH } from "../model";
import type { Preference } from "./preferences.server";

type PreferenceFormProps = {
  /** Address of the page it stands on. */
  action?: string;
  preferences: readonly Preference[];
  token: string;
};

/** Lets people choose what they hear of, by mail and in the product. */
export function PreferenceForm({ action = PREFERENCES_PATH, preferences, token }: PreferenceFormProps) {
  return (
    <Form action={action} token={token} reloadDocument>
      <input type="hidden" name="intent" value="save" />
      {preferences.map(({ event, label, byMail, inApp }) => (
        <fieldset
          key={event}
          className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-line-strong border-b py-[0.9rem]"
        >
          <legend className="float-left font-semibold">{label}</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            <Tick type="checkbox" name={`mail_${event}`} value="on" defaultChecked={byMail}>
              <span>By mail</span>
            </Tick>
            {inApp === null ? null : (
              <Tick type="checkbox" name={`app_${event}`} value="on" defaultChecked={inApp}>
                <span>In the list</span>
              </Tick>
            )}
          </div>
        </fieldset>
      ))}
      <div className="pt-5">
        <ButtonRow>
          <SubmitButton>Save</SubmitButton>
        </ButtonRow>
      </div>
    </Form>
  );
}
