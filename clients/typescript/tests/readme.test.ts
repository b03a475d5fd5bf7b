import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

test("the page shows the example that is compiled", () => {
  assert.ok(read("README.md").includes(`\`\`\`ts\n${read("examples/create_game.ts")}\`\`\``));
});
