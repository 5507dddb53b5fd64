import { formScript } from "~/generated/static-scripts";
import { Button } from "./button";
import { Notice } from "./page";

export function FormScript() {
  return (
    <>
      <NotSavedTemplate />
      <script src={formScript} defer />
    </>
  );
}

function NotSavedTemplate() {
  return (
    <template data-not-saved-template="">
      <div role="alert" data-not-saved="" className="mt-4">
        <Notice kind="error" title="Not saved." message="Check your connection and try again." />
        <Button variant="quiet" size="sm" className="mt-3" data-retry="">
          Retry
        </Button>
      </div>
    </template>
  );
}
