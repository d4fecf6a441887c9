// The mount: two square battens, a clamp at the table's edge, a corner, a head for the camera, a carrier for the Pi.
// Every part lies as it is printed and needs no supports. All lengths in millimetres.
//   openscad -D 'part="clamp"' -o clamp.stl mount.scad      (clamp, pad, corner, head, carrier)

part = "assembly"; // assembly, layout, or one part by name

/* [What you have] */
batten = 20;       // side of the square battens
upright = 1000;    // length of the standing one
boom = 500;        // length of the lying one
table_top = 30;    // thickness of the table; drawn only
table_max = 45;    // thickest table that the clamp takes

/* [Printing] */
wall = 4;
fit = 0.4;         // play between batten and print
jaw = 12;          // thickness of the clamp's arms
clamp_width = 40;
reach = 50;        // of the clamp over the table
grip = 60;         // length by which corner and head hold a batten

/* [Screws] */
wood_screw = 4.2;  // hole for a 4 mm wood screw
bolt = 8.4;        // hole for the M8 bolt of the clamp
nut = 13.3;        // across the flats of its nut
nut_height = 6.8;

/* [Camera Module 3, as its maker draws it] */
board = [25, 23.9];
board_holes = [21, 12.5];
hole_to_edge = 2;  // from the edge that lies opposite the cable
lens_to_cable_edge = 9.5;
lens_opening = 13; // the lens housing and some play
camera_pilot = 1.7; // an M2 screw cuts its own thread
camera_standoff = 3;

/* [Raspberry Pi] */
pi_board = [85, 56];
pi_holes = [58, 49];
pi_hole_to_edge = 3.5;
pi_pilot = 2.2;    // an M2.5 screw cuts its own thread
pi_standoff = 6;

channel = batten + fit;
opening = table_max + 8;      // the pad and some thread
jaw_low = nut_height + 12;    // the lower arm holds the nut
stop = -opening - jaw_low;    // the upright stands on this level; 0 is the table's surface
$fn = 48;

// A countersunk hole through a plate whose underside is at z = 0; the head goes in from below.
module countersunk(depth) {
    translate([0, 0, -0.01]) cylinder(d1 = 2 * wood_screw, d2 = wood_screw, h = wood_screw / 2);
    translate([0, 0, -0.01]) cylinder(d = wood_screw, h = depth + 0.02);
}

// A lying hole along y with a roof that prints without supports.
module lying_hole(d, length) {
    rotate([-90, 0, 0]) {
        cylinder(d = d, h = length);
        rotate([0, 0, -135]) cube([d / 2, d / 2, length]);
    }
}

// Printed on its side: x points away from the table, y up, z along the table's edge.
module clamp() {
    spine = 14;
    height = grip;
    outer = spine + channel + wall;
    difference() {
        linear_extrude(clamp_width) offset(2) offset(-2) union() {
            translate([-reach, 0]) square([reach + 1, jaw]);
            translate([-reach, stop]) square([reach + 1, jaw_low]);
            translate([0, stop - wall]) square([outer, -stop + wall + height]);
        }
        // the channel of the upright, open to the side that is up while printing
        translate([spine, stop, clamp_width - batten]) cube([channel, 1000, batten + 1]);
        // screws that hold it, from outside
        for (y = [stop + 20, -20, height - 15])
            translate([outer + 1, y, clamp_width - batten / 2]) rotate([0, -90, 0])
                teardrop(wood_screw, wall + 2);
        // bolt and nut; the nut slides in from the side
        translate([-reach * 0.6, stop - 1, clamp_width / 2]) lying_hole(bolt, jaw_low + 2);
        translate([-reach * 0.6 - nut / 2, stop + (jaw_low - nut_height) / 2, clamp_width / 2])
            cube([nut, nut_height, clamp_width]);
        translate([-reach * 0.6, stop + (jaw_low - nut_height) / 2, clamp_width / 2]) rotate([-90, 30, 0])
            cylinder(d = nut / cos(30), h = nut_height, $fn = 6);
    }
}

// A hole along z whose tip points to +x.
module teardrop(d, length) {
    cylinder(d = d, h = length);
    rotate([0, 0, -45]) cube([d / 2, d / 2, length]);
}

// The foot of the bolt, so that it does not dent the table.
module pad() {
    difference() {
        cylinder(d = 24, h = 7);
        translate([0, 0, 3]) cylinder(d = bolt + 0.4, h = 5);
    }
}

// Holds the boom on top of the upright: upright along -y, boom along +x.
module corner() {
    arm = channel + grip + 20;
    difference() {
        union() {
            linear_extrude(wall) polygon([
                [-wall, -arm], [channel + wall, -arm], [arm + channel, -wall], [arm + channel, channel + wall],
                [-wall, channel + wall],
            ]);
            linear_extrude(wall + batten) {
                translate([-wall, -arm]) square([wall, arm + channel + wall]);
                translate([-wall, channel]) square([arm + channel + wall, wall]);
                translate([channel, -arm]) square([wall, arm]);
                translate([channel, -wall]) square([arm, wall]);
                // the rib that keeps the angle
                hull() {
                    translate([channel + wall / 2, -arm + wall / 2]) circle(d = wall);
                    translate([arm + channel - wall / 2, -wall / 2]) circle(d = wall);
                }
            }
        }
        for (along = [20, arm - 15]) {
            translate([channel / 2, -along, 0]) countersunk(wall);
            translate([channel + along, channel / 2, 0]) countersunk(wall);
        }
        translate([channel / 2, channel / 2, 0]) countersunk(wall);
        // two slots for a cable tie in the plate between the battens
        for (x = [14, 26]) translate([channel + x, -26, -1]) cube([3, 8, wall + 2]);
    }
}

function camera_hole_rows() = [
    board[1] - hole_to_edge, board[1] - hole_to_edge - board_holes[1],
];

// Holds the camera at the end of the boom; seen from above as it hangs, and as it is printed.
// The cable's edge of the board faces the boom: then the picture's lower edge is where the upright stands.
module head() {
    gap = 14; // between the boom's end and the board: room to bend the ribbon upwards
    width = max(channel + 2 * wall, board[0] + 6);
    length = grip + gap + board[1] + 3;
    difference() {
        union() {
            linear_extrude(3) translate([0, -width / 2]) offset(3) offset(-3) square([length, width]);
            for (side = [-1, 1])
                translate([0, side * (channel + wall) / 2 - wall / 2, 0]) cube([grip, wall, 3 + batten * 0.7]);
            translate([grip + gap, 0, 0]) for (row = camera_hole_rows(), side = [-1, 1])
                translate([row, side * board_holes[0] / 2, 0]) cylinder(d = 5, h = 3 + camera_standoff);
        }
        for (along = [15, grip - 12]) translate([along, 0, 0]) countersunk(3);
        translate([grip + gap, 0, 0]) {
            for (row = camera_hole_rows(), side = [-1, 1])
                translate([row, side * board_holes[0] / 2, -1]) cylinder(d = camera_pilot, h = 20);
            // the lens, and the little cable of the sensor beside it
            translate([lens_to_cable_edge - lens_opening / 2, -lens_opening / 2, -1])
                cube([lens_opening + 5, lens_opening, 5]);
        }
    }
}

// Carries the Pi on the boom.
module carrier() {
    margin = 3;
    difference() {
        union() {
            linear_extrude(3) offset(3) square(pi_board);
            for (x = [0, pi_holes[0]], y = [0, pi_holes[1]])
                translate([pi_hole_to_edge + x, pi_hole_to_edge + y, 0]) cylinder(d = 6, h = 3 + pi_standoff);
        }
        for (x = [0, pi_holes[0]], y = [0, pi_holes[1]])
            translate([pi_hole_to_edge + x, pi_hole_to_edge + y, 1]) cylinder(d = pi_pilot, h = 20);
        for (x = [15, pi_board[0] / 2, pi_board[0] - 15])
            translate([x, pi_board[1] / 2, -1]) cylinder(d = wood_screw, h = 10);
        // windows: less plastic, more air
        for (x = [22, 50]) translate([x, 8, -1]) cube([14, 12, 10]);
        for (x = [22, 50]) translate([x, pi_board[1] - 20, -1]) cube([14, 12, 10]);
    }
}

// --- what is bought, drawn only ---------------------------------------------------------------------------------

module wood(size) color("BurlyWood") cube(size);

module camera_board() {
    color("DarkGreen") difference() {
        translate([0, -board[0] / 2, 0]) cube([board[1], board[0], 1.1]);
        for (row = camera_hole_rows(), side = [-1, 1])
            translate([row, side * board_holes[0] / 2, -1]) cylinder(d = 2.2, h = 5);
    }
    color("DimGray") translate([lens_to_cable_edge - 5.5, -5.5, -4]) cube([11, 11, 4]);
    color("Black") translate([lens_to_cable_edge, 0, -7.5]) cylinder(d = 8, h = 4);
    color("White") translate([0, -10.5, 1.1]) cube([5.5, 21, 2.6]);
}

module pi() {
    color("DarkGreen") cube([pi_board[0], pi_board[1], 1.5]);
    color("Silver") {
        translate([70, 2.5, 1.5]) cube([18, 16, 13.5]);
        for (y = [22.5, 40.5]) translate([71, y, 1.5]) cube([17, 13, 16]);
        translate([7, -1, 1.5]) cube([9, 7.5, 3.2]);
        for (x = [22.8, 36.3]) translate([x, -1, 1.5]) cube([6.5, 7.5, 3.2]);
    }
    color("Black") translate([7.1, 50, 1.5]) cube([51, 5, 8.5]);
}

// The table's surface is z = 0, its edge x = 0, the table on the side of -x.
module assembly() {
    color("Wheat") translate([-330, -330, -table_top]) cube([330, 660, table_top]);
    module stand() rotate([90, 0, 0]) translate([0, 0, -clamp_width / 2]) children();
    color("SteelBlue") stand() clamp();
    color("Silver") translate([-reach * 0.6, 0, stop - 22]) cylinder(d = 8, h = -stop - table_top + 19);
    color("Silver") translate([-reach * 0.6, 0, stop - 27]) cylinder(d = 15, h = 5.5, $fn = 6);
    color("SteelBlue") translate([-reach * 0.6, 0, -table_top]) rotate([180, 0, 0]) pad();
    // In use the batten's side lies flush with the clamp's, at y = -clamp_width / 2.
    side = -clamp_width / 2;
    post = 14 + fit / 2;
    translate([post, side, stop]) wood([batten, batten, upright]);
    top = stop + upright;
    translate([post + batten - boom, side, top]) wood([boom, batten, batten]);
    color("SteelBlue") translate([post + batten + fit / 2, side + batten + wall, top]) rotate([90, 0, 0])
        mirror([1, 0, 0]) corner();
    color("SteelBlue") translate([post + batten - boom + grip, side + batten / 2, top - 3]) rotate([0, 0, 180]) head();
    translate([post + batten - boom - 14, side + batten / 2, top + camera_standoff]) rotate([0, 0, 180])
        camera_board();
    // The Pi rides on the boom: from here an ordinary ribbon reaches the camera.
    translate([post - boom + 150, side + batten / 2 - pi_board[1] / 2, top + batten]) {
        color("SteelBlue") carrier();
        translate([0, 0, 3 + pi_standoff]) pi();
    }
}

module layout() color("SteelBlue") {
    translate([-60, 60, 0]) clamp();
    translate([-60, -45, 0]) pad();
    translate([35, 55, 0]) corner();
    translate([-25, 130, 0]) head();
    translate([-215, 40, 0]) carrier();
}

if (part == "clamp") clamp();
else if (part == "pad") pad();
else if (part == "corner") corner();
else if (part == "head") head();
else if (part == "carrier") carrier();
else if (part == "layout") layout();
else assembly();
