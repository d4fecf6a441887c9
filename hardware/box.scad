// The button box, and a small one for a single seat. Every part lies as it is printed and needs no supports: lids on
// their outer side, all else on its floor. All lengths in millimetres.
//   openscad -D 'part="lid"' -o lid.stl box.scad      (lid, base, seat, seat_floor)

part = "assembly"; // assembly, layout, or one part by name

/* [What is inside] */
players = 4;       // end-turn buttons and lamps of the players
bar = 5;           // lamps that show the time left; 0 for none
display = false;   // a window for a 4-digit display
pi_inside = false; // the Pi at the back of the box instead of on the boom; for a USB camera

/* [Bought parts: diameters of their holes] */
turn_button = 24;  // arcade button
pause_button = 16;
button_depth = 34; // below the lid, with its plugs
lamp = 5.2;        // a 5 mm LED; 8 with a holder
display_window = [30.5, 14.5];
cable = 8;

/* [Printing] */
wall = 2.4;
lid_thickness = 3;
fit = 0.3;         // play between lid and base
screw = 3.4;       // hole for an M3 screw
screw_pilot = 2.7; // it cuts its own thread
letters = 0.6;     // depth of the engraving; 0 for none

/* [Raspberry Pi 4 or 5] */
pi_board = [85, 56];
pi_holes = [58, 49];
pi_hole_to_edge = 3.5;
pi_pilot = 2.2;
pi_standoff = 5;

button_pitch = max(40, turn_button + 14);
post = 9;          // the corners that take the screws
inner = [
    max(players * button_pitch, 150) + 2 * post,
    98 + (pi_inside ? pi_board[1] + post + 12 : 0),
];
height = button_depth + 6; // inside
outer = [inner[0] + 2 * wall, inner[1] + 2 * wall];
radius = 5;
$fn = 48;

// The panel, seen from above, from the middle of its front edge: [what, x, y from the front, diameter, label]
row_buttons = 29;
row_lamps = 54;
row_top = 78;
function seat_x(seat) = (seat - (players - 1) / 2) * button_pitch;
turn_buttons = [for (seat = [0 : players - 1]) [seat_x(seat), row_buttons, turn_button, str(seat + 1)]];
player_lamps = [for (seat = [0 : players - 1]) [seat_x(seat), row_lamps, lamp, ""]];
verdict_lamps = [
    [-66, row_top, lamp, "NO"], [-50, row_top, lamp, "?"], [-34, row_top, lamp, "OK"], [-14, row_top, lamp, "DRAW"],
];
bar_lamps = [for (i = [0 : 1 : bar - 1]) [6 + 8 * i, row_top, lamp, ""]];
pause = [62, row_top, pause_button, ""];
// Between the lamps of the players, for any number of them.
buzzer = [seat_x(players - 1) - button_pitch / 2, row_lamps];
window = [max(buzzer[0] - button_pitch, -58), row_lamps];
verdict_colours = ["Red", "Gold", "Lime", "DarkOrange"];

module outline(size, r) offset(r) offset(-r) square(size, center = true);

module corners() for (x = [-1, 1], y = [-1, 1])
    translate([x * (inner[0] - post) / 2, y * (inner[1] - post) / 2]) children();

// The panel's places are counted from the front, the box from its middle.
module on_panel(place) translate([place[0], place[1] - inner[1] / 2, 0]) children();

module word(place, below, size) if (place[3] != "")
    on_panel(place) translate([0, -place[2] / 2 - below])
        text(place[3], size = size, halign = "center", valign = "top", font = "Liberation Sans:style=Bold");

// All that is written on the lid; the numbers stand clear of the buttons' rims.
module words() {
    for (hole = turn_buttons) word(hole, 4, 6);
    for (hole = verdict_lamps) word(hole, 2.5, 4.5);
    word([pause[0], pause[1], pause[2], "PAUSE"], 3, 4.5);
}

// As in use, outer side up at z = lid_thickness; printed the other way up.
module lid_in_use() {
    difference() {
        union() {
            linear_extrude(lid_thickness) outline(outer, radius);
            // the rim that keeps it in place, with room for the corners' posts
            translate([0, 0, -2]) linear_extrude(2.01) difference() {
                outline([inner[0] - 2 * fit, inner[1] - 2 * fit], radius - wall);
                outline([inner[0] - 2 * fit - 3, inner[1] - 2 * fit - 3], radius - wall);
                corners() square(post + 2 * fit + 0.5, center = true);
                if (pi_inside) pi_openings_flat();
            }
        }
        translate([0, 0, -5]) {
            for (hole = concat(turn_buttons, player_lamps, verdict_lamps, bar_lamps, [pause]))
                on_panel(hole) cylinder(d = hole[2], h = 20);
            corners() cylinder(d = screw, h = 20);
            // the buzzer sounds through seven small holes
            on_panel(buzzer) {
                cylinder(d = 2.4, h = 20);
                for (a = [0 : 60 : 300]) rotate(a) translate([5, 0]) cylinder(d = 2.4, h = 20);
            }
            if (display) on_panel(window) translate([-display_window[0] / 2, -display_window[1] / 2])
                cube([display_window[0], display_window[1], 20]);
        }
        if (letters > 0) translate([0, 0, lid_thickness - letters]) linear_extrude(letters + 1) words();
    }
}

module lid() translate([0, 0, lid_thickness]) rotate([180, 0, 0]) lid_in_use();

// Where the Pi stands: its USB side at the left wall, its power side towards the back wall, clear of the corner's post.
module at_pi() translate([-inner[0] / 2 + pi_board[0] + 3, inner[1] / 2 - post - 1, 0]) rotate(180) children();

// Openings reach up to the rim: nothing has to be bridged.
module pi_openings_flat() {
    at_pi() translate([pi_board[0] - 8, 1]) square([30, 54]);
    at_pi() translate([2, -20]) square([59, 24]);
}

module base() {
    floor_to_board = wall + pi_standoff;
    difference() {
        union() {
            difference() {
                linear_extrude(wall + height) outline(outer, radius);
                translate([0, 0, wall]) linear_extrude(height + 1) outline(inner, radius - wall);
            }
            intersection() {
                linear_extrude(wall + height) corners() square(post, center = true);
                linear_extrude(wall + height) outline(outer, radius);
            }
            if (pi_inside) at_pi() for (x = [0, pi_holes[0]], y = [0, pi_holes[1]])
                translate([pi_hole_to_edge + x, pi_hole_to_edge + y, wall - 0.01]) cylinder(d = 6.5, h = pi_standoff);
        }
        corners() translate([0, 0, wall + 4]) cylinder(d = screw_pilot, h = height);
        // cables: a notch in the back wall, open to the rim
        translate([outer[0] / 2 - 30, outer[1] / 2 - wall - 1, wall + height - cable])
            cube([cable, wall + 2, cable + 1]);
        if (pi_inside) {
            translate([0, 0, floor_to_board]) linear_extrude(height) difference() {
                pi_openings_flat();
                offset(-0.5) outline(inner, radius - wall);
            }
            at_pi() for (x = [0, pi_holes[0]], y = [0, pi_holes[1]])
                translate([pi_hole_to_edge + x, pi_hole_to_edge + y, 1.2]) cylinder(d = pi_pilot, h = 20);
            // air, below the Pi
            for (i = [0 : 6]) at_pi() translate([14 + 9 * i, 16, -1]) cube([3, 24, wall + 2]);
        }
        // two holes to screw it to the table's edge, or to tie it
        for (x = [-1, 1]) translate([x * inner[0] / 4, -inner[1] / 2 + 12, -1]) cylinder(d = 4.2, h = wall + 2);
    }
}

// --- one seat ---------------------------------------------------------------------------------------------------

seat_d = turn_button + 28;

module seat() {
    seat_height = lid_thickness + button_depth + 4;
    difference() {
        cylinder(d = seat_d, h = seat_height);
        translate([0, 0, lid_thickness]) cylinder(d = seat_d - 2 * wall, h = seat_height);
        translate([0, -4, -1]) cylinder(d = turn_button, h = 10);
        translate([0, turn_button / 2 + 3, -1]) cylinder(d = lamp, h = 10);
        translate([-cable / 2 / 1.6, 0, seat_height - cable / 1.6]) cube([cable / 1.6, seat_d, cable]);
    }
}

// Pressed in from below; felt on it keeps the table whole.
module seat_floor() {
    cylinder(d = seat_d - 2 * wall - fit, h = 3);
}

// --- what is bought, drawn only ---------------------------------------------------------------------------------

module arcade_button(colour) {
    color(colour) cylinder(d1 = turn_button + 5, d2 = turn_button + 3, h = 3);
    color(colour) cylinder(d = turn_button - 5, h = 7);
    color("DimGray") translate([0, 0, -button_depth]) cylinder(d = turn_button - 1, h = button_depth);
}

module led(colour) color(colour) {
    translate([0, 0, -5]) cylinder(d = 5, h = 7);
    translate([0, 0, 2]) sphere(d = 5);
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

module fittings() translate([0, 0, lid_thickness]) {
    for (hole = turn_buttons) on_panel(hole) arcade_button("White");
    for (hole = player_lamps) on_panel(hole) led("Gold");
    for (i = [0 : 3]) on_panel(verdict_lamps[i]) led(verdict_colours[i]);
    for (hole = bar_lamps) on_panel(hole) led("LightGreen");
    on_panel(pause) color("SteelBlue") {
        cylinder(d = pause_button + 3, h = 2);
        cylinder(d = pause_button - 4, h = 4);
    }
}

module assembly() {
    color("LightSteelBlue") base();
    translate([0, 0, wall + height + (pi_inside ? 60 : 0)]) {
        color("Gainsboro") lid_in_use();
        color("Black") translate([0, 0, lid_thickness - letters]) linear_extrude(letters + 0.05) words();
        fittings();
    }
    if (pi_inside) at_pi() translate([0, 0, wall + pi_standoff]) pi();
}

module layout() color("LightSteelBlue") {
    translate([0, outer[1] * 0.55, 0]) lid();
    translate([0, -outer[1] * 0.55, 0]) base();
    translate([outer[0] / 2 + seat_d * 0.75, seat_d * 0.6, 0]) seat();
    translate([outer[0] / 2 + seat_d * 0.75, -seat_d * 0.6, 0]) seat_floor();
}

if (part == "lid") lid();
else if (part == "base") base();
else if (part == "seat") seat();
else if (part == "seat_floor") seat_floor();
else if (part == "layout") layout();
else assembly();
