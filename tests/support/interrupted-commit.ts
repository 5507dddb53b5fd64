import type { Ctx } from "~/platform/context.server";
import { derive, type TestContext } from "./context";

/** Returns the context in which a colleague does something between the reads of a command and its commit. */
export function interruptedBeforeCommit(ctx: TestContext, colleague: () => Promise<unknown>): TestContext {
  let isInterrupted = false;
  const batch = async (statements: Parameters<Ctx["db"]["batch"]>[0]) => {
    if (!isInterrupted) {
      isInterrupted = true;
      await colleague();
    }
    return ctx.db.batch(statements);
  };
  return derive(ctx, { db: { ...ctx.db, batch: batch as unknown as Ctx["db"]["batch"] } });
}
