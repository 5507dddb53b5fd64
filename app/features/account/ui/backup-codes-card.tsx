import { splitCode } from "~/features/auth/model";
import { NEW_BACKUP_CODES_PATH, SHOW_BACKUP_CODES_PATH } from "~/lib/addresses";
import { Button, LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Docket, DocketBody } from "~/ui/docket";
import { Form, SubmitButton } from "~/ui/form";

type BackupCodesCardProps = {
  /** Lists the codes; null: they were shown before. */
  codes: readonly string[] | null;
  token: string;
  /** Names the page the person wanted to open before the set-up. */
  redirectTo: string | null;
  /** Tells whether the codes replace others, so that nothing is being set up. */
  isRenewal: boolean;
};

/** Shows the second step of the set-up: the codes, once. They can be selected and downloaded without scripts. */
export function BackupCodesCard({ codes, ...complete }: BackupCodesCardProps) {
  const { token, isRenewal } = complete;
  if (!codes) {
    return (
      <Docket id="codes" title="Save your backup codes" heading="h2">
        <DocketBody>
          <p>Your codes were shown once. Make new ones if you didn't save them.</p>
          <ButtonRow>
            <LinkButton variant="quiet" to={NEW_BACKUP_CODES_PATH}>
              New backup codes
            </LinkButton>
            <CompleteForm {...complete} />
          </ButtonRow>
        </DocketBody>
      </Docket>
    );
  }
  return (
    <Docket
      id="codes"
      title="Save your backup codes"
      subtitle={`${isRenewal ? "Each" : "Step 2 of 2: each"} code works once, in place of your authenticator app`}
      heading="h2"
    >
      <DocketBody>
        <p>They are shown only this once. Keep them somewhere safe, apart from your phone.</p>
        <ol className="grid grid-cols-[repeat(2,max-content)] gap-x-12 gap-y-2 text-[1.15rem]" id="codes-list">
          {codes.map((code) => (
            <li key={code} className="font-medium font-mono text-[0.9em]/[1.4] [&>span+span]:ml-[0.5ch]">
              <span>{splitCode(code)[0]}</span>
              <span>{splitCode(code)[1]}</span>
            </li>
          ))}
        </ol>
        <ButtonRow>
          <Button variant="quiet" data-copy="codes-list" hidden>
            Copy All
          </Button>
          <Form action="/profile/backup-codes" token={token} reloadDocument data-native="">
            <input type="hidden" name="codes" value={codes.join(" ")} />
            <SubmitButton variant="quiet">Download</SubmitButton>
          </Form>
        </ButtonRow>
        <CompleteForm {...complete} />
      </DocketBody>
    </Docket>
  );
}

function CompleteForm({ token, redirectTo, isRenewal }: Omit<BackupCodesCardProps, "codes">) {
  return (
    <Form action={SHOW_BACKUP_CODES_PATH} token={token} reloadDocument>
      <input type="hidden" name="intent" value="complete" />
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      {isRenewal ? <input type="hidden" name="renewed" value="1" /> : null}
      <SubmitButton>{isRenewal ? "I saved them" : "Complete Setup"}</SubmitButton>
    </Form>
  );
}
