# SPDX-License-Identifier: Apache-2.0
"""What the plots of these tools are drawn with."""


class Svg:
    def __init__(self, width, height):
        self.out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                    'font-family="sans-serif" font-size="13">',
                    f'<rect width="{width}" height="{height}" fill="white"/>']

    def line(self, x1, y1, x2, y2, colour):
        self.out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>')

    def text(self, x, y, anchor, content, colour="#333"):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{content}</text>')

    def curve(self, points, colour):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')

    def polygon(self, points, fill, stroke="none"):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.out.append(f'<polygon points="{path}" fill="{fill}" stroke="{stroke}" stroke-linejoin="round"/>')

    def dot(self, x, y, colour):
        self.out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')

    def write(self, file):
        with open(file, "w", encoding="utf-8") as out:
            out.write("\n".join([*self.out, "</svg>"]) + "\n")
