import { ButtonRow } from "~/ui/button-row";
import { Tick } from "~/ui/checkbox";
import { Form, SubmitButton } from "~/ui/form";
import { Input } from "~/ui/input";
import { PREFERENCES_PATH, USUAL_QUIET_HOURS } from "../model";
import type { Preference, QuietHours } from "./preferences.server";

type PreferenceFormProps = {
  /** Holds the address of the page it stands on. */
  action?: string;
  preferences: readonly Preference[];
  quiet: QuietHours | null;
  token: string;
};

/** Lets people choose what they hear of, by mail and in the product. */
export function PreferenceForm({ action = PREFERENCES_PATH, preferences, quiet, token }: PreferenceFormProps) {
  return (
    <Form action={action} token={token} reloadDocument>
      <input type="hidden" name="intent" value="save" />
      {preferences.map(({ event, label, byMail, inApp }) => (
        <fieldset
          key={event}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line-strong border-b py-[0.9rem]"
        >
          <legend className="float-left font-semibold">{label}</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {byMail === null ? (
              "Always by mail"
            ) : (
              <Tick type="checkbox" name={`mail_${event}`} value="on" defaultChecked={byMail}>
                <span>By mail</span>
              </Tick>
            )}
            {inApp === null ? null : (
              <Tick type="checkbox" name={`app_${event}`} value="on" defaultChecked={inApp}>
                <span>In the list</span>
              </Tick>
            )}
          </div>
        </fieldset>
      ))}
      <fieldset className="flex flex-wrap items-center gap-x-6 gap-y-2 py-[0.9rem]">
        <legend className="float-left font-semibold">Quiet hours</legend>
        <Tick type="checkbox" name="quiet" value="on" defaultChecked={quiet !== null}>
          <span>Mail waits, unless it is urgent</span>
        </Tick>
        {(["from", "until"] as const).map((end) => (
          <Input
            key={end}
            className="w-auto"
            type="time"
            name={`quiet_${end}`}
            aria-label={`Quiet hours ${end}`}
            defaultValue={(quiet ?? USUAL_QUIET_HOURS)[end]}
          />
        ))}
      </fieldset>
      <div className="pt-5">
        <ButtonRow>
          <SubmitButton>Save</SubmitButton>
        </ButtonRow>
      </div>
    </Form>
  );
}
