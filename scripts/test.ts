import { spawnSync } from 'node:child_process'

const result = spawnSync('node_modules/.bin/vitest', ['run', '--passWithNoTests', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${process.cwd()}/.tools/bin:${process.env['PATH']}` },
})
process.exit(result.status ?? 1)
