CREATE TABLE `backlog_months` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`backlog_0` integer DEFAULT 0 NOT NULL,
	`backlog_1` integer DEFAULT 0 NOT NULL,
	`backlog_2` integer DEFAULT 0 NOT NULL,
	`backlog_3` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `month`)
);

--> statement-breakpoint
INSERT INTO backlog_months(organization_id, month, backlog_0, backlog_1, backlog_2, backlog_3)
SELECT organization_id, substr(day, 1, 7), sum(backlog_0), sum(backlog_1), sum(backlog_2), sum(backlog_3)
FROM daily_figures GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER backlog_month_counted AFTER INSERT ON daily_figures
WHEN NEW.backlog_0 <> 0 OR NEW.backlog_1 <> 0 OR NEW.backlog_2 <> 0 OR NEW.backlog_3 <> 0 BEGIN
  INSERT INTO backlog_months(organization_id, month, backlog_0, backlog_1, backlog_2, backlog_3)
  VALUES (NEW.organization_id, substr(NEW.day, 1, 7), NEW.backlog_0, NEW.backlog_1, NEW.backlog_2, NEW.backlog_3)
  ON CONFLICT(organization_id, month) DO UPDATE SET backlog_0 = backlog_0 + excluded.backlog_0,
    backlog_1 = backlog_1 + excluded.backlog_1, backlog_2 = backlog_2 + excluded.backlog_2,
    backlog_3 = backlog_3 + excluded.backlog_3;
END;
--> statement-breakpoint
CREATE TRIGGER backlog_month_recounted AFTER UPDATE OF backlog_0, backlog_1, backlog_2, backlog_3 ON daily_figures
WHEN OLD.backlog_0 <> NEW.backlog_0 OR OLD.backlog_1 <> NEW.backlog_1 OR OLD.backlog_2 <> NEW.backlog_2
  OR OLD.backlog_3 <> NEW.backlog_3 BEGIN
  INSERT INTO backlog_months(organization_id, month, backlog_0, backlog_1, backlog_2, backlog_3)
  VALUES (NEW.organization_id, substr(NEW.day, 1, 7), NEW.backlog_0 - OLD.backlog_0, NEW.backlog_1 - OLD.backlog_1,
    NEW.backlog_2 - OLD.backlog_2, NEW.backlog_3 - OLD.backlog_3)
  ON CONFLICT(organization_id, month) DO UPDATE SET backlog_0 = backlog_0 + excluded.backlog_0,
    backlog_1 = backlog_1 + excluded.backlog_1, backlog_2 = backlog_2 + excluded.backlog_2,
    backlog_3 = backlog_3 + excluded.backlog_3;
END;
--> statement-breakpoint
CREATE TRIGGER backlog_month_uncounted AFTER DELETE ON daily_figures BEGIN
  UPDATE backlog_months SET backlog_0 = backlog_0 - OLD.backlog_0, backlog_1 = backlog_1 - OLD.backlog_1,
    backlog_2 = backlog_2 - OLD.backlog_2, backlog_3 = backlog_3 - OLD.backlog_3
  WHERE organization_id = OLD.organization_id AND month = substr(OLD.day, 1, 7);
END;
--> statement-breakpoint
INSERT INTO totals(name, value)
SELECT 'organization.with_plan', count(*) FROM organizations WHERE plan <> 'none';
--> statement-breakpoint
CREATE TRIGGER plan_counted AFTER INSERT ON organizations WHEN NEW.plan <> 'none' BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'organization.with_plan';
END;
--> statement-breakpoint
CREATE TRIGGER plan_recounted AFTER UPDATE OF plan ON organizations
WHEN (OLD.plan <> 'none') <> (NEW.plan <> 'none') BEGIN
  UPDATE totals SET value = value + (NEW.plan <> 'none') - (OLD.plan <> 'none') WHERE name = 'organization.with_plan';
END;
--> statement-breakpoint
CREATE TRIGGER plan_uncounted AFTER DELETE ON organizations WHEN OLD.plan <> 'none' BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'organization.with_plan';
END;
--> statement-breakpoint
INSERT INTO counters(name, value) VALUES ('figures_compared_day', 0), ('figures_compared_to', 0);
