/**
 * Runs every side once per round: A B A B ... What disturbs the machine for a while then disturbs all sides.
 * @returns what each side gave, round by round.
 */
export async function takeTurns<Result>(
  rounds: number,
  sides: readonly (() => Promise<Result>)[],
): Promise<Result[][]> {
  const results: Result[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, side] of sides.entries()) results[at]?.push(await side());
  }
  return results;
}
