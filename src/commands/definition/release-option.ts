/** `--target`: a release line by its name, or by what people know of it. */
import { RELEASE_LINES, releaseLine } from '../../core/compatibility/release-lines.ts'
import type { Option } from './option.ts'

const SINCE = RELEASE_LINES.flatMap(({ name, since }) =>
  since === undefined ? [] : [`${name} from ${since}`],
)

export function releaseOption(description: string): Option<string | undefined> {
  return {
    argument: '<release>',
    description: `${description}: ${SINCE.join(', ')} on; also a number of DSH or of a format, or latest`,
    choices: RELEASE_LINES.map(({ name }) => name),
    aliases: 'a release of DSH (0.1.7, 0.2.x), the number of a format (4), or latest',
    alias: (text) => releaseLine(text)?.name,
  }
}
