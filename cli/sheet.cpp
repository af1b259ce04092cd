// SPDX-License-Identifier: Apache-2.0
// touche sheet: makes a mesh of a sheet from a drawing of its outline and a thickness.
#include <fmt/core.h>

#include "commands.h"
#include "drawing_options.h"
#include "length.h"
#include "outlines.h"
#include "touche/io.h"
#include "touche/plane.h"
#include "write_file.h"

namespace touche::cli {
namespace {

struct SheetArguments {
  std::string file, out, thickness;
  double scale = 1;
  DrawingOptions drawings;
  bool json = false;
};

int run_sheet(const SheetArguments& options) {
  const PartName part = parse_part_name(options.file);
  if (!is_outline(part.file))
    throw InvalidInput(options.file + ": a sheet is made of a drawing, SVG or DXF");
  keep_inputs({part.file}, {options.out});
  const double thickness = parse_length(options.thickness, "mm", "--thickness");
  const plane::Outline outline =
      load_outline(part, options.drawings.outline_options(options.scale));
  const PolygonSoup sheet = [&] {
    try {
      return plane::sheet_of(outline, thickness);
    } catch (const InvalidInput& e) {
      bool open = false;
      for (Index c = 0; c < outline.chain_count(); ++c)
        open |= !outline.closed(c) && !outline.again(c);
      throw LoadError(options.file, "",
                      e.what() + std::string(open ? " (--drop-open leaves out what is open)" : ""));
    }
  }();
  save(sheet, options.out);
  const Health health = examine(sheet);
  if (options.json) {
    print(with_remarks({{"file", options.file},
                        {"out", options.out},
                        {"faces", sheet.face_count()},
                        {"triangles", sheet.triangle_count()},
                        {"closed", health.closed && health.oriented},
                        {"volume", health.volume},
                        {"chord_error", outline.chord_error()}},
                       outline.remarks()));
    return kFree;
  }
  print_remarks(outline.remarks());
  fmt::print("{} faces, {} triangles, {}, volume {:.9g}\n", sheet.face_count(),
             sheet.triangle_count(),
             health.closed ? "closed" : "closed, touches itself along edges", health.volume);
  if (outline.chord_error() > 0)
    fmt::print("curves are chords, which are off by up to {:.3g}\n", outline.chord_error());
  fmt::print("written to {}\n", options.out);
  return kFree;
}

}  // namespace

void add_sheet(Program& program) {
  Command command = program.command(
      "sheet", "Make a mesh of a drawing: the sheet of some thickness that it outlines");
  auto options = std::make_shared<SheetArguments>();
  command.add("file", options->file, "Drawing, SVG or DXF, or FILE#NAME of an object or layer")
      .required()
      .type_name("DRAWING");
  command.add("--thickness", options->thickness, "A length, with or without a unit: 2, 2mm, 0.08in")
      .required()
      .type_name("LENGTH");
  command.add("--out", options->out, "The mesh; the extension selects the format")
      .required()
      .type_name("FILE");
  command.add("--scale", options->scale, "Multiply the drawing's coordinates").type_name("FACTOR");
  options->drawings.add_to(command);
  command.flag("--json", options->json, "Print JSON, for programs");
  command.footer(
      "For commands that need meshes: build, view, handle, simulate, evaluate, studies of parts\n"
      "in space. The sheet is the region that the closed chains enclose by the even-odd rule,\n"
      "from z = 0 to the thickness. Open chains are an error that names them, unless\n"
      "--drop-open leaves them out.\n\n"
      "Examples:\n"
      "  touche sheet plate.dxf --thickness 2mm --out plate.ply\n"
      "  touche sheet plate.dxf --layers CUT --drop-open --thickness 2mm --out plate.ply\n"
      "  touche sheet key.svg --thickness 3 --out key.stl && touche view key.stl lock.stl");
  command.runs([options] { return run_sheet(*options); });
}

}  // namespace touche::cli
