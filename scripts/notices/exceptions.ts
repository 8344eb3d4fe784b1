import { readFileSync } from "node:fs";

const readText = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8").trim();

const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

const mit = (copyright: string): string => `MIT License\n\n${copyright}\n\n${mitTerms}`;

/** Its repository's text for many packages, which ship none themselves. */
const ofRepository = (packages: string, copyright: string) =>
  Object.fromEntries(packages.trim().split(/\s+/).map((title) => [title, { why: "from the licence of its repository", texts: [mit(copyright)] }]));
const authorOnly = "no licence file was found; package.json names the licence and the author";

/** The table is the same in the packages of all platforms; the texts that it refers to are in none of them. */
const libvips = `Prebuilt libvips and dependencies for use with sharp. From its README:

This software contains third-party libraries used under the terms of the following licenses:

aom: BSD 2-Clause + Alliance for Open Media Patent License 1.0 (https://aomedia.org/license/patent-license/)
cairo: Mozilla Public License 1.1
cgif, expat, harfbuzz, lcms, libffi, libnsgif, libultrahdr, libxml2, pixman: MIT License
fontconfig: fontconfig License (BSD-like, https://gitlab.freedesktop.org/fontconfig/fontconfig/blob/main/COPYING)
freetype: freetype License (BSD-like, https://git.savannah.gnu.org/cgit/freetype/freetype2.git/tree/docs/FTL.TXT)
fribidi, glib, libexif, libheif, librsvg, libvips, pango, proxy-libintl: LGPLv3
highway: BSD 3-Clause
libarchive: BSD 2-Clause
libimagequant: BSD 2-Clause (https://github.com/lovell/libimagequant/blob/main/COPYRIGHT)
libpng: libpng License (https://github.com/pnggroup/libpng/blob/master/LICENSE)
libtiff: libtiff License (BSD-like, https://gitlab.com/libtiff/libtiff/blob/master/LICENSE.md)
libwebp: New BSD License
mozjpeg: zlib License, IJG License, BSD 3-Clause (https://github.com/mozilla/mozjpeg/blob/master/LICENSE.md)
zlib-ng: zlib License (https://github.com/zlib-ng/zlib-ng/blob/develop/LICENSE.md)

Use of libraries under the terms of the LGPLv3 is via the "any later version" clause of the LGPLv2 or LGPLv2.1.
It is loaded as a shared library, which may be replaced. Its source: https://github.com/lovell/sharp-libvips`;

/**
 * The texts of packages that ship none, by name and version: a new version is looked at again. The platform is left
 * out of a name.
 */
export const exceptions: Readonly<Record<string, { why: string; texts: readonly string[] }>> = {
  "ibantools@4.5.4": { why: "it ships two licences, and we chose this one", texts: [mit("Copyright (c) Saša Jovanić")] },
  ...ofRepository("fontkit@2.0.4", "Copyright (c) 2014-present Devon Govett"),
  ...ofRepository("react-remove-scroll-bar@2.3.8", "Copyright (c) 2025 Anton Korzunov <thekashey@gmail.com>"),
  "@img/sharp-libvips@1.3.4": { why: "from its README", texts: [libvips, readText("LGPL-3.0.txt"), readText("GPL-3.0.txt"), readText("MPL-1.1.txt")] },
  "abstract-logging@2.0.1": { why: authorOnly, texts: [mit("Copyright (c) James Sumners")] },
  "dfa@1.2.0": { why: authorOnly, texts: [mit("Copyright (c) Devon Govett")] },
  "brotli@1.3.3": {
    why: `${authorOnly}; the heads of its decoder's files name Google and the Apache licence`,
    texts: [mit("Copyright (c) Devon Govett"), "Portions: Copyright 2013 Google Inc. All Rights Reserved. Licensed under the Apache License, Version 2.0.", readText("../../packages/sdk/LICENSE")],
  },
};
