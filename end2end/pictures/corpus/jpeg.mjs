// JPEG by libjpeg-turbo's cjpeg, with segments put in and taken out by hand.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A picture of one or three channels through cjpeg; `scans` is a scan script. */
export function cjpeg({ width, height, channels = 3, data }, options = [], scans) {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  try {
    const input = join(folder, 'in.ppm');
    writeFileSync(input, Buffer.concat([Buffer.from(`P${channels === 1 ? 5 : 6}\n${width} ${height}\n255\n`), data]));
    if (scans) {
      writeFileSync(join(folder, 'scans'), scans);
      options = [...options, '-scans', join(folder, 'scans')];
    }
    return execFileSync('cjpeg', [...options, input], { maxBuffer: 1 << 28 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Segments as marker and content, up to the first scan; the last one is the rest of the file. */
export function segments(file) {
  const found = [];
  let at = 2;
  while (file[at + 1] !== 0xda) {
    const length = file.readUInt16BE(at + 2);
    found.push([file[at + 1], file.subarray(at + 4, at + 2 + length)]);
    at += 2 + length;
  }
  return [...found, [0xda, file.subarray(at)]];
}

export function joined(parts) {
  const bytes = [Buffer.from([0xff, 0xd8])];
  for (const [marker, content] of parts) {
    if (marker === 0xda) {
      bytes.push(content);
      continue;
    }
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(content.length + 2, 2);
    bytes.push(head, content);
  }
  return Buffer.concat(bytes);
}

/** The file with segments put in right behind the first, which is JFIF's. */
export function having(file, ...extra) {
  const [first, ...others] = segments(file);
  return joined([first, ...extra, ...others]);
}

export const without = (file, marker) => joined(segments(file).filter(([found]) => found !== marker));

/** A profile in segments of at most `size` bytes. */
export function icc(profile, size = 65519) {
  const count = Math.ceil(profile.length / size);
  return Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * size, (index + 1) * size);
    return [0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([index + 1, count]), part])];
  });
}
